import type { z } from 'zod'
import type { EmailKind } from './email-kind.ts'
import type { Email, Mail } from './mail.ts'

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
 * @param isUnconfirmed whether an address may be somebody else's than the member's who gave it: it gets no news
 */
export function registerEmails<App extends { mail: Mail }>(
  app: App,
  templates: readonly EmailTemplate<App>[],
  isUnconfirmed: (address: string) => Promise<boolean>,
): void {
  for (const { kind, write } of templates) {
    app.mail.register(kind, async (data, emailId) => {
      const email = await write(app, data, emailId)
      const isWithheld = email !== undefined && kind.purpose === 'news' && (await isUnconfirmed(email.to.address))
      return isWithheld ? undefined : email
    })
  }
}
