import { limitAddress, limitKey } from '../../../platform/rate-limit/consume-all.ts'

export const limitSearches = limitKey({ name: 'searches.member', points: 120, seconds: 3_600 })

/** A provider of email ends the digests of many readers from one address. */
export const limitUnsubscribing = limitAddress({ name: 'unsubscribe.block', points: 600, seconds: 600 })
