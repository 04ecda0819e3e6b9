import type { z } from 'zod'
import type { EmailKind } from './email-kind.ts'
import type { Mail } from './mail.ts'
import type { Email } from './message.ts'

type Written = Email | undefined

/** How a feature writes the emails of a kind: at the moment they are sent; undefined where there is nobody to write to any more. */
export interface EmailTemplate<App> {
  kind: EmailKind
  write: (app: App, data: unknown, emailId: string) => Promise<Written>
}

export function templateOf<App, Data extends z.ZodType>(
  kind: EmailKind<Data>,
  write: (app: App, data: z.output<Data>, emailId: string) => Written | Promise<Written>,
): EmailTemplate<App> {
  return { kind, write: async (app, data, emailId) => write(app, kind.data.parse(data), emailId) }
}

/**
 * Registers how the features' emails are written; before the jobs start.
 * @param mayReceive whether an email of the kind may go to the address; one that may not is withheld for good
 */
export function registerEmails<App extends { mail: Mail }>(
  app: App,
  templates: readonly EmailTemplate<App>[],
  mayReceive: (address: string, kind: EmailKind) => Promise<boolean>,
): void {
  for (const { kind, write } of templates) {
    app.mail.register(kind, async (data, emailId) => {
      const email = await write(app, data, emailId)
      if (email === undefined || (await mayReceive(email.to.address, kind))) return email
      const { address } = email.to
      await app.mail.reportFate({ id: emailId, kind, address, fate: 'withheld', answer: null })
      return undefined
    })
  }
}
