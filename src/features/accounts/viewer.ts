/** Who is asking, as far as the catalogue's rules need to know. */
export interface Viewer {
  /** A membership in force; administrators count as VIP. */
  isVip: boolean
  isAdmin: boolean
}

/** Everyone who has not signed in. */
export const anonymous: Viewer = Object.freeze({ isVip: false, isAdmin: false })
