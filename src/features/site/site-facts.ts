import type { App } from '../../platform/app.ts'

/** What every page knows of the site it belongs to. Sent to the browser: nothing secret. */
export interface SiteFacts {
  brandName: string
  communityUrl: string
  vipCommunityUrl: string
  contactEmail: string
  dmcaEmail: string
  publicUrl: string
  timeZone: string
  year: number
  clientApiKey: string
}

export function siteFacts(app: App): SiteFacts {
  const { brandName, communityUrl, vipCommunityUrl, contactEmail, dmcaEmail, publicUrl, timeZone, clientApiKey } =
    app.config
  const year = new Date(app.clock.now()).getUTCFullYear()
  return { brandName, communityUrl, vipCommunityUrl, contactEmail, dmcaEmail, publicUrl, timeZone, year, clientApiKey }
}
