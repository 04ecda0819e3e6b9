import type { JobData } from '../jobs/job.ts'
import type { Email, EmailUrgency, Mail } from './mail.ts'

/**
 * Why an email is sent (docs/spec/email.md#purposes). `security`: how somebody gets into their account, and who else did.
 * `receipt`: about the reader's own payments. `requested`: what the reader has asked for themselves. `work`: to those who
 * run the site. `news`: everything else, which goes to confirmed addresses alone.
 */
export type EmailPurpose = 'security' | 'receipt' | 'requested' | 'work' | 'news'

/**
 * The emails that a feature contributes, by their kind. Each is written at the moment it is sent; undefined where there
 * is nobody to write to any more.
 */
export type EmailTemplates<App> = Readonly<
  Record<
    string,
    {
      urgency: EmailUrgency
      purpose: EmailPurpose
      write: (app: App, data: JobData, emailId: string) => Promise<Email | undefined>
    }
  >
>

/**
 * Tells the mail how the features' emails are written; before the jobs start.
 * @param isUnconfirmed whether an address may be somebody else's than the member's who gave it: it gets no news
 */
export function registerEmails<App extends { mail: Mail }>(
  app: App,
  templates: EmailTemplates<App>,
  isUnconfirmed: (address: string) => Promise<boolean>,
): void {
  for (const [kind, { urgency, purpose, write }] of Object.entries(templates)) {
    const template = async (data: JobData, emailId: string): Promise<Email | undefined> => {
      const email = await write(app, data, emailId)
      const isWithheld = email !== undefined && purpose === 'news' && (await isUnconfirmed(email.to.address))
      return isWithheld ? undefined : email
    }
    app.mail.register(kind, template, urgency)
  }
}
