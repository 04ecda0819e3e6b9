import { beginRehearsal, endRehearsal } from '../features/office/rehearsal.server.ts'
import { dropWaitingJobs } from '../platform/jobs/queued-jobs.ts'
import { type Command, readArguments, UsageError, type WithApp } from './command.ts'

export const rehearsalCommand: Command = {
  usage: `  rehearsal start|end|status
      In rehearsal the site is a copy that speaks to nobody: emails become files, nothing is sold, no link is checked, and
      every page says so. A restored backup begins in it. end has it send and sell again; what waited to be sent is dropped.
`,
  run: runRehearsal,
}

async function runRehearsal(args: string[], withApp: WithApp): Promise<number> {
  const [action, ...more] = readArguments(args, {}, 1).positionals
  if (more.length > 0 || (action !== 'start' && action !== 'end' && action !== 'status'))
    throw new UsageError('The command rehearsal is followed by start, end or status.')
  return withApp(async (app, _migrated, database) => {
    const say = (text: string): void => void process.stdout.write(`${text}\n`)
    if (action === 'start') {
      const isNew = await app.db.transaction().execute(beginRehearsal)
      say(isNew ? 'The site is in rehearsal: it sends no email and takes no payment.' : 'It is in rehearsal already.')
      return 0
    }
    if (action === 'end') {
      await dropWaitingJobs(database, 'mail')
      const wasOne = await app.db.transaction().execute(endRehearsal)
      if (!app.config.rehearsal) say(wasOne ? 'The rehearsal has ended.' : 'It is not in rehearsal.')
    } else if (!app.config.rehearsal) say(app.rehearsal.isOn ? 'The site is in rehearsal.' : 'It is not in rehearsal.')
    if (app.config.rehearsal) say('The site is in rehearsal as long as REHEARSAL=1 is set.')
    return action === 'end' && app.config.rehearsal ? 1 : 0
  })
}
