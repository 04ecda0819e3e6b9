/** Who is asking, as the rules see him. */
export interface Viewer {
  /** May enter what is for VIPs: a membership in force, or an administrator. */
  isVip: boolean
  isAdmin: boolean
  /** Undefined for whoever has not signed in. */
  member: SignedInMember | undefined
}

/** The account and the session behind a request, before anybody has asked what was paid for. */
export interface SignedIn {
  id: string
  email: string
  sessionId: string
  /** The bearer token, as it came with this request; it is stored nowhere. */
  token: string
  isAdmin: boolean
  /** An administrator has disabled his membership, whatever was paid. */
  isVipDisabled: boolean
}

/** The same with his membership. */
export interface SignedInMember extends SignedIn {
  /** A membership in force: unlike `Viewer.isVip`, not for being an administrator. */
  isVip: boolean
  /** The end of the membership, also of one that is over; null for who never had one. */
  vipEndsAt: number | null
  /** The plan that gives the membership in force; null for one that was not bought. */
  planType: string | null
}

/** Everyone who has not signed in. */
export const anonymous: Viewer = Object.freeze({ isVip: false, isAdmin: false, member: undefined })

/** The member behind a door for members: the door has made sure that there is one. */
export function memberOf(viewer: Viewer): SignedInMember {
  if (viewer.member === undefined) throw new TypeError('A use case for members was called for somebody else.')
  return viewer.member
}
