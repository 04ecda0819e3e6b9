import type { SiteTexts } from '../../office/texts/site-texts.server.ts'
import type { DeclaredText } from '../../office/texts/site-text.ts'

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

/** The texts of `/dmca` about the agent and repeat infringers (docs/spec/notices.md#agent). */
export const agentTexts: readonly DeclaredText[] = [
  line(
    'agent.name',
    'DMCA agent: name',
    'Or the title of a position, such as Copyright Agent. On the page /dmca.',
    120,
  ),
  line('agent.organization', 'DMCA agent: organization', 'On the page /dmca.', 120),
  {
    key: 'agent.address',
    label: 'DMCA agent: postal address',
    help: 'As on an envelope, on the page /dmca.',
    group: 'Legal',
    kind: 'list',
    maxLength: 120,
    maxLines: 8,
    isOptional: true,
    first: () => '',
  },
  line('agent.phone', 'DMCA agent: telephone', 'On the page /dmca.', 40),
  line(
    'agent.registration',
    'DMCA agent: registration number',
    'From the directory of the U.S. Copyright Office, such as DMCA-1234567. On the page /dmca.',
    40,
  ),
  {
    key: 'agent.until',
    label: 'DMCA agent: end of the registration',
    help: 'A registration ends three years after it was made or renewed. Administrators get an email 60 days, 14 days and a day before.',
    group: 'Legal',
    kind: 'date',
    maxLength: 10,
    isOptional: true,
    first: () => '',
  },
  {
    key: 'agent.repeated',
    label: 'Repeated infringement',
    help: 'Our policy about those who infringe again and again, on the page /dmca.',
    group: 'Legal',
    kind: 'document',
    maxLength: 5_000,
    first: () =>
      'Only the people who administer this site can publish here. Anyone among them who repeatedly infringes the rights of others loses that role. Removed entries are blocked together with their links: nobody can publish them again elsewhere on the site, unless a later decision restores them.',
  },
]

function line(key: DeclaredText['key'], label: string, help: string, maxLength: number): DeclaredText {
  return { key, label, help, group: 'Legal', kind: 'line', maxLength, isOptional: true, first: () => '' }
}
