import { accountContributions } from '../accounts/contributions.server.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { catalogueContributions } from '../catalogue/contributions.server.ts'
import { membershipContributions } from '../membership/contributions.server.ts'
import type { CatalogueApp } from '../catalogue/app.ts'

/** What every feature contributes on the server, in the order of the row. */
export const features: readonly FeatureContributions<CatalogueApp>[] = [
  accountContributions,
  membershipContributions,
  catalogueContributions,
]
