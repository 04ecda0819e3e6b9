import type { JobData } from '../jobs/jobs.ts'
import type { Email, Mail } from './mail.ts'

/**
 * The emails that a feature contributes, by their kind. Each is written at the moment it is sent; undefined where there
 * is nobody to write to any more.
 */
export type EmailTemplates<App> = Readonly<Record<string, (app: App, data: JobData) => Promise<Email | undefined>>>

/** Tells the mail how the features' emails are written; before the jobs start. */
export function registerEmails<App extends { mail: Mail }>(app: App, templates: EmailTemplates<App>): void {
  for (const [kind, write] of Object.entries(templates)) app.mail.register(kind, (data) => write(app, data))
}
