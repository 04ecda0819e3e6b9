import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { RequestsApp } from '../requests/app.ts'
import { siteTexts } from './site-texts.ts'

/** What the site itself adds to what is composed of all features. */
export const siteContributions: FeatureContributions<RequestsApp> = {
  texts: () => Promise.resolve(siteTexts),
}
