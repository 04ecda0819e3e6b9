/**
 * The bounds of hiding and holding (docs/spec/notices.md#hidden-at-once,
 * docs/decisions/2026-11-23-floods-of-notices.md). Pure.
 */

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
  /** The count stops here: more entries change nothing. */
  counted: 800,
  of: (entries: number): number => Math.min(200, Math.max(mostHiddenForBlock, Math.floor(entries / 4))),
} as const

/** The effect that the bound leaves on an entry, if it is weaker than the notice's; else null. */
export type BoundedTo = 'holds' | 'none' | null

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
 * The bound of each entry, in their order. An entry beyond the bound for hiding is held, one beyond the bound for
 * holding is left alone. Entries that are off the site cost nothing.
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
