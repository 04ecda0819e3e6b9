/** What notices hide and hold by themselves (docs/spec/notices.md#hidden-at-once, docs/decisions/2026-11-23-floods-of-notices.md). Pure. */

import type { HoldState } from './transition.ts'

/** Entries hidden within an hour for one sender, as far as an address tells them apart: what one full notice names. */
export const mostHiddenForBlock = 50

/** Entries held at a time, and on the site all the same, for the notices from one network. */
export const mostHeldForNetwork = 50

/**
 * For all senders together: a quarter, but always one full notice, and never more than a person can look at. Hidden within an hour: of
 * what is published. Held at a time: of all entries.
 */
export const mostOnSite = {
  /** So many entries are counted; more of them change nothing. */
  counted: 800,
  of: (entries: number): number => Math.min(200, Math.max(mostHiddenForBlock, Math.floor(entries / 4))),
} as const

/** What the bound has left to an entry, where that is less than what its notice does; null where it is not less. */
export type BoundedTo = 'holds' | 'none' | null

/** What a notice does to one entry. */
export function levelOf(holds: HoldState, boundedTo: BoundedTo): HoldState {
  if (boundedTo === null || holds === 'none') return holds
  return boundedTo
}

/** An entry that a notice would hide or hold. */
export interface WantedEntry {
  id: string
  isPublished: boolean
  /** An open notice holds it already: to hold it once more costs nothing. */
  isHeld: boolean
}

/** How many more entries may be hidden, and how many more held. */
export interface Room {
  hidden: number
  held: number
}

/**
 * What the bound leaves to each entry, in their order: what does not fit under the one for hiding is held, and what does not fit under that
 * for holding is left as it is. What is off the site already costs nothing to hide.
 * @returns what is left to each entry, and how many go off the site
 */
export function boundEach(
  wanted: 'holds' | 'hides',
  entries: readonly WantedEntry[],
  room: Room,
): { bounds: Map<string, BoundedTo>; hidden: number } {
  let [hidden, held] = [0, 0]
  const bounds = new Map<string, BoundedTo>()
  for (const { id, isPublished, isHeld } of entries) {
    const isToHide = wanted === 'hides' && isPublished
    if (isToHide && hidden < room.hidden) {
      hidden += 1
      bounds.set(id, null)
    } else if (isHeld || held < room.held) {
      held += isHeld ? 0 : 1
      bounds.set(id, isToHide ? 'holds' : null)
    } else {
      bounds.set(id, 'none')
    }
  }
  return { bounds, hidden }
}
