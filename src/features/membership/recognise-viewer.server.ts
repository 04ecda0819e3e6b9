import { recogniseSession } from '../accounts/recognise-session.server.ts'
import { anonymous, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { readStanding } from './read-standing.server.ts'

/**
 * Who sends a request with this `Authorization` header, and whether he is VIP: what every door goes by. Nobody outside is
 * asked: a VIP stays one until his date while Stripe is away.
 * @throws {AppError} `session.invalid`, 401, for a bearer that no living session knows, also on public calls
 */
export async function recogniseViewer(
  app: Pick<App, 'db' | 'clock'>,
  authorization: string | undefined,
): Promise<Viewer> {
  const signedIn = await recogniseSession(app, authorization)
  if (signedIn === undefined) return anonymous
  const { isVip, endsAt, planType } = await readStanding(app, {
    userId: signedIn.id,
    isDisabled: signedIn.isVipDisabled,
  })
  return {
    isVip: isVip || signedIn.isAdmin,
    isAdmin: signedIn.isAdmin,
    member: { ...signedIn, isVip, vipEndsAt: endsAt, planType },
  }
}
