import { emailChangedJob } from '../../accounts/address/confirm-address.server.ts'
import { features } from '../features.server.ts'
import type { SiteApp } from '../app.ts'

/** About three days: what follows an address may be out of reach for a while. */
const retryPolicy = { retries: 80, firstWaitSeconds: 2, longestWaitSeconds: 3_600 }

/** Has what each feature contributes (`emailChanged`) done when a member has taken another address; before the jobs start. */
export function followEmailChanges(app: SiteApp): void {
  const work = async ({ memberId }: { memberId: string }): Promise<void> => {
    for (const { emailChanged } of features) await emailChanged?.(app, { memberId })
  }
  app.jobs.define(emailChangedJob, work, retryPolicy)
}
