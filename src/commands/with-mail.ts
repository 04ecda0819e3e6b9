import type { App } from '../app/app.ts'
import { accountEmails } from '../features/accounts/emails/account-emails.server.ts'
import { Mail } from '../platform/email/mail.ts'
import { Jobs } from '../platform/jobs/jobs.ts'
import type { CommandApp, WithApp } from './command.ts'

/** As `withApp`, for a command that tells people by email: the emails wait in the database until a server sends them. */
export function withMail<T>(withApp: WithApp, work: (app: CommandApp & Pick<App, 'mail'>) => Promise<T>): Promise<T> {
  return withApp(async (app, _migrated, database) => {
    const jobs = new Jobs(database, app.log)
    const mail = new Mail({ config: app.config, sender: () => app.texts.sender, log: app.log, jobs })
    const unsent = (): Promise<never> => Promise.reject(new Error('A command sends no emails.'))
    for (const { kind } of accountEmails) mail.register(kind, unsent)
    await jobs.prepare()
    try {
      return await work({ ...app, mail })
    } finally {
      mail.close()
      await jobs.stop()
    }
  })
}
