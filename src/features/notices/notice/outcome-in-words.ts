import { counted } from '../../../platform/counted.ts'
import type { Ground, Outcome } from './notice-kinds.ts'

export interface DecidedEntry {
  name: string
  path: string
  /** Whether it was reported, or only has a link that the decision blocks. */
  wasReported: boolean
  /** Whether the notice's own sender has named it, rather than that of a duplicate. */
  isOfSender: boolean
  effect: 'removed' | 'restricted' | 'published' | 'draft' | 'unchanged'
  /** Whether readers find it after the decision. */
  isOnSite: boolean
}

/**
 * The effect of a decision on the reported entries, in words. Another notice or the check of rights may keep an entry
 * off the site that this decision gives back.
 * @param reported those that the reader knows to be reported
 */
export function outcomeInWords(outcome: Outcome, reported: readonly DecidedEntry[]): string {
  const all = reported.length
  if (all === 0) return 'We found no entry at the addresses in the notice, so we removed nothing.'
  const onSite = reported.filter(({ isOnSite }) => isOnSite).length
  const became = (effect: DecidedEntry['effect']): number => reported.filter((entry) => entry.effect === effect).length
  switch (outcome) {
    case 'remove':
      if (became('removed') === all) return 'We removed what was reported.'
      return onSite === 0
        ? 'Nothing that was reported is on the site: we removed it now, or it was off the site before.'
        : `We removed ${became('removed')} of ${entriesReported(all)}.`
    case 'restrict':
      if (became('restricted') === all) return 'We took what was reported off the site for now.'
      return onSite === 0
        ? 'The reported entries stay off the site for now.'
        : `We took ${became('restricted')} of ${entriesReported(all)} off the site for now.`
    case 'keep':
      if (onSite === all)
        return became('published') === 0
          ? 'The reported entries stay on the site.'
          : 'The reported entries are on the site again.'
      return onSite === 0
        ? 'The reported entries are not on the site, but for another reason than this notice.'
        : `${onSite} of ${entriesReported(all)} ${onSite === 1 ? 'is' : 'are'} on the site. The others stay off it.`
  }
}

function entriesReported(count: number): string {
  return counted(count, 'reported entry', 'reported entries')
}

/** The state of one entry, such as 'off the site'. */
export function entryBecame({ effect, isOnSite }: DecidedEntry): string {
  switch (effect) {
    case 'removed':
      return 'removed'
    case 'restricted':
      return 'off the site'
    case 'published':
      return 'on the site'
    case 'draft':
      return 'not on the site'
    case 'unchanged':
      return isOnSite ? 'as it was, on the site' : 'as it was, not on the site'
  }
}

/** The heading of the ground of a decision; what stays breaks neither the law nor the terms. */
export function groundTitle(outcome: Outcome, ground: Ground): string {
  if (outcome === 'keep') return ground === 'illegal' ? 'Law we checked' : 'Terms we checked'
  return ground === 'illegal' ? 'Against the law' : 'Against the terms of this site'
}
