import type { FileHost } from '../catalogue/catalogue-config.server.ts'
import type { CatalogueApp } from '../catalogue/app.ts'
import { type Look, lookOf } from './appearance/look.ts'

/** The facts of the site that every page has. Sent to the browser: nothing secret. */
export interface SiteFacts {
  brandName: string
  /** Under the name, in the footer. */
  brandLine: string
  communityUrl: string
  vipCommunityUrl: string
  contactEmail: string
  accessDeniedMessage: string
  dmcaEmail: string
  publicUrl: string
  timeZone: string
  year: number
  clientApiKey: string
  fileHosts: readonly FileHost[]
  /** Absent while it is the house's own. */
  look?: Look
  isDemo: boolean
  isRehearsal: boolean
}

export function siteFacts({
  config,
  texts,
  clock,
  demo,
  rehearsal,
}: Pick<CatalogueApp, 'config' | 'texts' | 'clock' | 'demo' | 'rehearsal'>): SiteFacts {
  const { publicUrl, timeZone, clientApiKey } = config
  const look = lookOf(texts, clock.now(), timeZone)
  const { brandName, communityUrl, vipCommunityUrl, contactEmail, dmcaEmail } = texts.inForce
  return {
    brandName,
    brandLine: texts.get('brand.line'),
    communityUrl,
    vipCommunityUrl,
    contactEmail,
    dmcaEmail,
    publicUrl,
    timeZone,
    clientApiKey,
    fileHosts: config.fileHosts,
    accessDeniedMessage: texts.inForce.accessDeniedMessage,
    isDemo: demo.isHere,
    isRehearsal: rehearsal.isOn,
    ...(look === undefined ? {} : { look }),
    year: new Date(clock.now()).getUTCFullYear(),
  }
}
