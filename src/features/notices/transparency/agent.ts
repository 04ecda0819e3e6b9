import type { SiteTexts } from '../../office/texts/site-texts.server.ts'

/** The designated agent, as the page shows them; '' where a line is left out. */
export interface Agent {
  name: string
  organization: string
  address: string[]
  phone: string
  email: string
  registration: string
  /** The last day of the registration, as `YYYY-MM-DD`. */
  registeredUntil: string
}

/** The agent in the texts in force; undefined while nobody is named. */
export function agentIn(texts: Pick<SiteTexts, 'get' | 'list' | 'inForce'>): Agent | undefined {
  const agent: Agent = {
    name: texts.get('agent.name'),
    organization: texts.get('agent.organization'),
    address: texts.list('agent.address'),
    phone: texts.get('agent.phone'),
    email: texts.inForce.dmcaEmail,
    registration: texts.get('agent.registration'),
    registeredUntil: texts.get('agent.until'),
  }
  return agent.name === '' && agent.organization === '' ? undefined : agent
}

/** The lines that the law requires on the site (17 U.S.C. 512(c)(2)) and that are missing, in words. */
export function missingOf({ address, phone }: Agent): string[] {
  return [...(address.length === 0 ? ['postal address'] : []), ...(phone === '' ? ['telephone'] : [])]
}

const dayMs = 86_400_000

/** How many days the registration still lasts: 0 on its last day, negative when it has ended. Both days as `YYYY-MM-DD`. */
export function daysLeft(registeredUntil: string, today: string): number {
  return Math.round((Date.parse(registeredUntil) - Date.parse(today)) / dayMs)
}

/** Administrators are told so many days before the end, and when it has ended: 0. */
export const reminders = [60, 14, 1, 0] as const

/** The reminders that are due by now, the last one last. */
export function dueReminders(left: number): (typeof reminders)[number][] {
  return reminders.filter((days) => (days === 0 ? left < 0 : left <= days))
}

/** 'ends in 14 days', 'ends tomorrow', 'ends today', 'has ended' */
export function endInWords(left: number): string {
  if (left < 0) return 'has ended'
  if (left === 0) return 'ends today'
  return left === 1 ? 'ends tomorrow' : `ends in ${left} days`
}
