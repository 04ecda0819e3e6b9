import { type Command, readArguments, type WithApp } from './command.ts'

export const migrateCommand: Command = {
  usage: `  migrate
      Brings the database to this version's schema; creates it where there is none.
`,
  createsDatabase: true,
  run: runMigrate,
}

async function runMigrate(args: string[], withApp: WithApp): Promise<number> {
  readArguments(args, {}, 0)
  return withApp((_app, migrated) => {
    process.stdout.write(migrated.length === 0 ? 'The database is up to date.\n' : `Done: ${migrated.join(', ')}.\n`)
    return Promise.resolve(0)
  })
}
