import { liftKeptBans } from '../features/accounts/user/kept-bans.server.ts'
import { type Command, readArguments, UsageError, type WithApp } from './command.ts'

export const liftBanCommand: Command = {
  usage: `  lift-ban EMAIL
      Forgets what is kept of a deleted account that was not allowed to be VIP or to buy.
`,
  run: runLiftBan,
}

async function runLiftBan(args: string[], withApp: WithApp): Promise<number> {
  const [email] = readArguments(args, {}, 1).positionals
  if (email === undefined) throw new UsageError('The command lift-ban needs an email address.')
  return withApp(async (app) => {
    const isLifted = await liftKeptBans(app, { email })
    process.stdout.write(
      isLifted ? `Nothing is kept of ${email} any more.\n` : `Nothing is kept of ${email}: nothing was changed.\n`,
    )
    return 0
  })
}
