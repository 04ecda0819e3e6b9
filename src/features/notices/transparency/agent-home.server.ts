import { dayOf } from '../../../platform/time/site-time.ts'
import type { FirstStep, Problem, Waiting } from '../../office/contributions.ts'
import type { NoticesApp } from '../app.ts'
import { agentIn, daysLeft, endInWords, missingOf, reminders } from './agent.ts'

type Reading = Pick<NoticesApp, 'texts' | 'config' | 'clock'>

/** The agent's line on the home of the administration, without a query. */

/** Whether an agent for copyright notices is named, with everything that the law requires. */
export function readAgentStep({ texts }: Pick<Reading, 'texts'>): Promise<FirstStep> {
  const agent = agentIn(texts)
  const missing = agent === undefined ? [] : missingOf(agent)
  const help =
    agent === undefined
      ? 'Where the law of the United States concerns you: register an agent with its Copyright Office, and name them here.'
      : missing.length === 0
        ? 'Named on the page /dmca.'
        : `Still missing on the page /dmca: ${missing.join(' and ')}.`
  return Promise.resolve({
    title: 'Name a DMCA agent',
    isDone: agent !== undefined && missing.length === 0,
    help,
    to: '/admin/texts',
  })
}

/** Told ahead, from the first reminder on. */
export function readRegistrationEnding(app: Reading): Promise<Waiting | undefined> {
  const left = leftOf(app)
  const isNear = left !== undefined && left >= 0 && left <= reminders[0]
  return Promise.resolve(
    isNear
      ? {
          group: 'rights',
          sentence: `The registration of the DMCA agent ${endInWords(left)}`,
          count: 0,
          verb: 'Renew',
          to: '/admin/texts',
        }
      : undefined,
  )
}

export function readRegistrationEnded(app: Reading): Promise<Problem[]> {
  const left = leftOf(app)
  if (left === undefined || left >= 0) return Promise.resolve([])
  const sentence =
    'The registration of the DMCA agent has ended: renew it with the U.S. Copyright Office, and enter its new end.'
  return Promise.resolve([{ sentence, to: '/admin/texts' }])
}

function leftOf({ texts, config, clock }: Reading): number | undefined {
  const registeredUntil = texts.get('agent.until')
  return registeredUntil === '' ? undefined : daysLeft(registeredUntil, dayOf(clock.now(), config.timeZone))
}

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
