import type { DeclaredText } from '../../accounts/texts/site-text.ts'

const paid = [
  'Unlimited premium content',
  'Ad-free, direct downloads',
  'Early access',
  'Exclusive downloads',
  'HD streaming',
  'Priority support',
]

const list = { group: 'Plans', kind: 'list', maxLength: 80, maxLines: 12 } as const

/** What the plans page and the account page say of the plans. Prices are no texts: they are those that are charged. */
export const planTexts: readonly DeclaredText[] = [
  {
    ...list,
    key: 'plans.monthly',
    label: 'Features of the monthly plan',
    help: 'On its card, one a line.',
    first: () => paid.join('\n'),
  },
  {
    ...list,
    key: 'plans.annual',
    label: 'Features of the annual plan',
    help: 'On its card, one a line.',
    first: () => [...paid, 'One payment for twelve months'].join('\n'),
  },
  {
    ...list,
    key: 'plans.free',
    label: 'Features of free access',
    help: 'On its card, one a line. Those after the fourth are struck through: they are what it lacks.',
    first: () =>
      [
        'Asian and Western catalogues',
        'Banned and Unknown shelves',
        'Search and filters',
        'Standard downloads',
        'VIP content',
        'Ad-free, direct downloads',
        'Early access',
        'Priority support',
      ].join('\n'),
  },
  {
    ...list,
    key: 'vip.benefits',
    label: 'VIP Benefits',
    help: "On a VIP's account page, one a line.",
    first: () =>
      [
        'Unlimited premium content',
        'Early access',
        'Ad-free',
        'Priority support',
        'Exclusive downloads',
        'HD streaming',
      ].join('\n'),
  },
]

/** What stands on the cards of the plans. */
export interface PlanFeatures {
  monthly: string[]
  annual: string[]
  free: string[]
}

/** So many features of free access it has; those after them it lacks. */
export const freeFeatureCount = 4
