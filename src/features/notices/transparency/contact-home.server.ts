import type { FirstStep } from '../../office/contributions.ts'
import type { NoticesApp } from '../app.ts'

/** Names that no mail reaches (RFC 2606): those that the software puts there at first, and those of examples. */
const placeholder = /@(?:.*\.)?(?:example(?:\.(?:com|net|org))?|invalid|test|localhost)$/i

/**
 * Whether the addresses that the site shows are real ones. Reports and legal notices go to these: a site with
 * placeholders receives none.
 */
export function readContactStep({ texts }: Pick<NoticesApp, 'texts'>): Promise<FirstStep> {
  const { contactEmail, dmcaEmail } = texts.inForce
  const placeholders = [
    ...(placeholder.test(contactEmail) ? [`the contact address (${contactEmail})`] : []),
    ...(placeholder.test(dmcaEmail) ? [`the address for copyright notices (${dmcaEmail})`] : []),
  ]
  const isDone = placeholders.length === 0
  return Promise.resolve({
    title: 'Say where people can write to you',
    isDone,
    help: isDone
      ? contactEmail === dmcaEmail
        ? `People write to ${contactEmail}.`
        : `People write to ${contactEmail}, and about copyright to ${dmcaEmail}.`
      : `Still a placeholder that no email reaches: ${placeholders.join(' and ')}.`,
    to: '/admin/texts',
  })
}
