import { type DeclaredText, metGateway, type TextFacts } from '../../office/texts/site-text.ts'

/** The parts of the settings that decide what can be promised (docs/spec/pages.md#promises). */
type Promises = Pick<TextFacts, 'earlyAccessDays' | 'gateway'>

function earlyAccess({ earlyAccessDays }: Promises): string[] {
  return earlyAccessDays > 0 ? ['Early access'] : []
}

function paid(config: Promises): string[] {
  return [
    'Unlimited premium content',
    ...downloads[metGateway(config.gateway)],
    ...earlyAccess(config),
    'Exclusive downloads',
    'Priority support',
  ]
}

/** A VIP's downloads, where free ones differ from them: without a gateway they are direct, too. */
const downloads = { linkvertise: ['Ad-free, direct downloads'], local: ['Direct downloads'], off: [] }

const reasonLine = 'Every link leads straight to the file. No page in between, and no waiting.'
const downloadsReason = {
  linkvertise: [`Ad-Free Experience | ${reasonLine}`],
  local: [`Direct Downloads | ${reasonLine}`],
  off: [],
}

const downloadsRow = {
  linkvertise: ['Downloads | May show ads | No ads | No ads'],
  local: ['Downloads | Through a waiting page | Direct | Direct'],
  off: [],
}

const list = { group: 'Plans', kind: 'list', maxLength: 80, maxLines: 12 } as const

/** The texts of the plans page and the account page. Prices are no texts: they are those that are charged. */
export const planTexts: readonly DeclaredText[] = [
  {
    ...list,
    key: 'plans.monthly',
    label: 'Features of the monthly plan',
    help: 'On its card, one a line.',
    first: (config) => paid(config).join('\n'),
  },
  {
    ...list,
    key: 'plans.annual',
    label: 'Features of the annual plan',
    help: 'On its card, one a line.',
    first: (config) => [...paid(config), 'One payment for twelve months'].join('\n'),
  },
  {
    ...list,
    key: 'plans.free',
    label: 'Features of free access',
    help: 'On its card, one a line. Those after the fourth are struck through: they are what it lacks.',
    first: (config) =>
      [
        'Asian and Western catalogues',
        'Banned and Unknown shelves',
        'Search and filters',
        'Standard downloads',
        'VIP content',
        ...downloads[metGateway(config.gateway)],
        ...earlyAccess(config),
        'Priority support',
      ].join('\n'),
  },
  {
    ...list,
    key: 'plans.reasons',
    label: 'Why Choose VIP?',
    help: 'On the plans page and after a purchase: a name and a sentence each.',
    maxLength: 240,
    maxLines: 3,
    columns: 2,
    first: (config) =>
      [
        'Premium Content | The VIP shelves, beside everything that is free: works from Asia and the West, banned and unknown.',
        ...downloadsReason[metGateway(config.gateway)],
        'Priority Support | Messages from VIPs are answered first.',
      ].join('\n'),
  },
  {
    ...list,
    key: 'plans.comparison',
    label: 'What differs',
    help: 'In the table of the plans page, under the prices: what it is about, then free, monthly and annual. yes and no are shown as marks.',
    maxLength: 240,
    columns: 4,
    isOptional: true,
    first: (config) =>
      [
        'Free catalogues | yes | yes | yes',
        'VIP catalogues | no | yes | yes',
        ...earlyAccess(config).map((name) => `${name} | no | yes | yes`),
        ...downloadsRow[metGateway(config.gateway)],
        'Support | Standard | Priority | Priority',
        'Cancellation | Nothing to cancel | Any time | Any time',
      ].join('\n'),
  },
  {
    ...list,
    key: 'vip.benefits',
    label: 'VIP Benefits',
    help: "On a VIP's account page, one a line.",
    first: (config) =>
      [
        'Unlimited premium content',
        ...earlyAccess(config),
        ...(metGateway(config.gateway) === 'linkvertise' ? ['Ad-free'] : downloads[metGateway(config.gateway)]),
        'Priority support',
        'Exclusive downloads',
      ].join('\n'),
  },
]

export interface PlanFeatures {
  monthly: string[]
  annual: string[]
  free: string[]
}

/** The first features of free access are included, the rest are lacking. */
export const freeFeatureCount = 4
