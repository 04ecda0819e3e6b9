import { counted } from '../../platform/counted.ts'
import {
  type DoctorChecks,
  type ExaminedDatabase,
  type ExaminedSettings,
  type Finding,
  good,
  problem,
  sentenceOf,
  warning,
} from '../../platform/doctor/doctor-check.ts'
import { tryMailServer } from '../../platform/email/transports.ts'
import type { OfficeApp } from './app.ts'
import { verifyAuditLog } from './audit/verify-audit-log.server.ts'
import type { OfficeConfig, TextSettings } from './office-config.server.ts'

type Config = OfficeConfig & TextSettings

export const officeChecks: DoctorChecks<Config, OfficeApp['db']> = {
  settings: [
    { about: 'Mail', isOffInRehearsal: true, examine: examineMail },
    { about: 'Addresses', examine: examineAddresses },
  ],
  database: [{ about: 'Audit log', examine: examineAuditLog }],
}

async function* examineMail({ config }: ExaminedSettings<Config>): AsyncGenerator<Finding> {
  const { smtpUrl, isPublic, mailFrom, dataDir } = config
  if (smtpUrl === undefined) {
    const sentence = `SMTP_URL is unset: emails are files in ${dataDir}/mail, and reach nobody.`
    yield isPublic ? problem(sentence, 'Set SMTP_URL to your mail server.') : good(sentence)
    return
  }
  if (isExample(mailFrom.address))
    yield problem(`the sender is ${mailFrom.address}, which is nobody's.`, 'Set MAIL_FROM to an address of your own.')
  try {
    await tryMailServer(smtpUrl)
    yield good('the mail server answers. Send one: npm run daybook -- mail test ADDRESS')
  } catch (error) {
    yield problem(
      `the mail server does not take emails: ${sentenceOf(error)}`,
      'Correct SMTP_URL, or start the mail server.',
    )
  }
}

function* examineAddresses({ config }: ExaminedSettings<Config>): Generator<Finding> {
  if (!config.isPublic) return
  const examples = [
    ...(isExample(config.contactEmail) ? ['CONTACT_EMAIL'] : []),
    ...(isExample(config.dmcaEmail) ? ['DMCA_EMAIL'] : []),
  ]
  if (examples.length === 0) return
  yield warning(
    `${examples.join(' and ')} ${examples.length === 1 ? 'is' : 'are'} not yours.`,
    'Set them, or save addresses of your own at /admin/texts.',
  )
}

function isExample(address: string): boolean {
  return /[@.]example\.(org|com|net)$/i.test(address)
}

async function* examineAuditLog(examined: ExaminedDatabase<Config, OfficeApp['db']>): AsyncGenerator<Finding> {
  const { events, faults, anchors } = await verifyAuditLog(examined)
  if (faults.length > 0) {
    yield problem(
      `${faults[0]?.sentence ?? 'it is not whole.'}${faults.length === 1 ? '' : ` Further faults: ${faults.length - 1}.`}`,
      'npm run daybook -- audit verify names all of them; docs/operating.md#audit-log says what they mean.',
    )
  } else if (anchors === 0 && events > 0) {
    yield warning(
      `${counted(events, 'event')}, whole, but the anchors are not in ${examined.config.dataDir}.`,
      'Put audit-anchors.jsonl back, if this is another directory than before. In a new library the first start makes it.',
    )
  } else yield good(`${counted(events, 'event')}, whole.`)
}
