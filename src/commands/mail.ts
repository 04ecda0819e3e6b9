import { layOutEmail } from '../platform/email/email-layout.ts'
import { sendAtOnce } from '../platform/email/transports.ts'
import { readConfig } from '../app/config.ts'
import { refuseOtherUser } from '../db/last-database.ts'
import type { GivenSettings } from '../platform/config/config.ts'
import { openLog } from '../platform/log.ts'
import { type Command, readArguments, UsageError } from './command.ts'

export const mailCommand: Command = {
  usage: `  mail test ADDRESS
      Sends one email to ADDRESS at once, and says what the mail server answered. Needs no database.
`,
  run: runMail,
}

const isAddress = (text: string): boolean => /^[^\s@<>"]+@[^\s@<>"]+$/.test(text)

async function runMail(args: string[], _withApp: unknown, given: GivenSettings): Promise<number> {
  const { positionals } = readArguments(args, {}, 2)
  const [action, address = ''] = positionals
  if (action !== 'test') throw new UsageError('The command mail is followed by test and an address.')
  if (!isAddress(address)) throw new UsageError('The command mail test needs an email address.')
  const config = readConfig(given)
  const settings = { ...config, ...(config.rehearsal ? { smtpUrl: undefined } : {}) }
  // It makes a file there, and the folder for it.
  if (settings.smtpUrl === undefined) await refuseOtherUser(config.dataDir)
  const content = {
    subject: `A test from ${config.brandName}`,
    preview: 'The site can send emails.',
    headline: 'The site can send emails',
    greeting: undefined,
    paragraphs: ['This email was sent by a command of the operator. There is nothing to do.'],
    reason: `Somebody who runs ${config.brandName} has sent this to try its settings.`,
  }
  const email = { to: { address }, ...layOutEmail(content, config) }
  const answer = await sendAtOnce(settings, email, openLog('silent')).catch((error: Error) => {
    throw new Error(
      `The mail server did not take the email: ${error.message} Look at SMTP_URL (host, port, name, password) and MAIL_FROM, which is ${config.mailFrom.address}.`,
    )
  })
  if (answer === undefined) {
    process.stdout.write(`SMTP_URL is unset: the email is a file in ${config.dataDir}/mail, and reaches nobody.\n`)
    return 1
  }
  process.stdout.write(
    `The mail server took the email from ${config.mailFrom.address} to ${address}: ${answer}\nLook whether it arrives, and not among junk.\n`,
  )
  return 0
}
