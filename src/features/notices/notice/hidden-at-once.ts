/** How many entries notices hide by themselves within an hour (docs/decisions/2026-11-23-floods-of-notices.md). Pure. */

/** For one sender, as far as an address tells them apart: what one full notice names. */
export const mostHiddenForBlock = 50

/** For all senders together: a quarter of what is published, but always one full notice, and never more than a person can look at. */
export const mostHiddenOnSite = {
  /** So many published entries are counted; more of them change nothing. */
  counted: 800,
  of: (published: number): number => Math.min(200, Math.max(mostHiddenForBlock, Math.floor(published / 4))),
} as const
