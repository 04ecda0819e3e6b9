import { accountContributions } from '../accounts/contributions.server.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { catalogueContributions } from '../catalogue/contributions.server.ts'
import { membershipContributions } from '../membership/contributions.server.ts'
import { noticesContributions } from '../notices/contributions.server.ts'
import { officeContributions } from '../office/contributions.server.ts'
import type { SiteApp } from './app.ts'
import { requestsContributions } from '../requests/contributions.server.ts'
import { siteContributions } from './contributions.server.ts'

export const features: readonly FeatureContributions<SiteApp>[] = [
  officeContributions,
  accountContributions,
  membershipContributions,
  catalogueContributions,
  requestsContributions,
  noticesContributions,
  siteContributions,
]
