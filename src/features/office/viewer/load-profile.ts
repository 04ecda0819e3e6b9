import { ApiError, request } from '../../../browser/api-client.ts'
import { current, storeAccess, storeIdentity } from '../../../browser/session-store.ts'
import { AccessForMember, AccountForMember } from './viewer-schema.ts'
import { storeProfile } from './known-profile.ts'

const unreachable = { state: 'unreachable', isVip: false, isAdmin: false } as const

let underWay: { token: string; profile: Promise<AccountForMember> } | undefined

/**
 * The caller's profile; their roles are stored on the way. Concurrent callers share one request.
 * @throws {ApiError}
 */
export function loadProfile(token: string): Promise<AccountForMember> {
  if (underWay?.token === token) return underWay.profile
  const profile = fetchProfile(token).finally(() => {
    if (underWay?.profile === profile) underWay = undefined
  })
  underWay = { token, profile }
  return profile
}

async function fetchProfile(token: string): Promise<AccountForMember> {
  try {
    const profile = await request('/auth/dashboard', AccountForMember, { token })
    const { isVip, isAdmin, needsSecondFactor } = profile
    storeAccess(token, { state: 'known', isVip, isAdmin, needsSecondFactor })
    storeIdentity(token, profile)
    storeProfile(token, profile)
    return profile
  } catch (error) {
    // A profile that does not come takes nothing back of what an access check has learned.
    if (error instanceof ApiError && current().access.state === 'unknown') storeAccess(token, unreachable)
    throw error
  }
}

/**
 * Asks for the caller's roles and notes them; a rejected token is removed.
 * @throws {ApiError} when they could not be had
 */
export async function fetchAccess(token: string, signal?: AbortSignal): Promise<AccessForMember> {
  const access = await request('/auth/status', AccessForMember, {
    token,
    ...(signal === undefined ? {} : { signal }),
  })
  if (signal?.aborted !== true) storeAccess(token, { state: 'known', ...access })
  return access
}

/** Notes that the caller's roles could not be asked for: that is no rejection. The flags are down, the token stays. */
export function storeUnreachable(token: string): void {
  storeAccess(token, unreachable)
}

/** Asks for the caller's roles anew, after something that may have changed them. Never fails: see `storeUnreachable`. */
export async function checkAccess(): Promise<void> {
  const token = current().session?.token
  if (token === undefined) return
  try {
    await fetchAccess(token)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    storeUnreachable(token)
  }
}
