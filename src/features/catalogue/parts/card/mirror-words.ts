import type { LinkState, MirrorCount } from '../../item/link-slots.ts'

/** '2 of 3 mirrors working', with what is neither working nor dead; another sentence where nothing is known of any. */
export function mirrorsInWords({ total, ok, suspect, unknown }: MirrorCount): string {
  const mirrors = total === 1 ? 'mirror' : 'mirrors'
  if (unknown === total)
    return total === 1 ? 'The mirror could not be verified' : `None of ${total} mirrors could be verified`
  const rest = [...(suspect > 0 ? [`${suspect} in doubt`] : []), ...(unknown > 0 ? [`${unknown} not verified`] : [])]
  return [`${ok} of ${total} ${mirrors} working`, ...rest].join(', ')
}

export const downloadStates: Record<LinkState, string | undefined> = {
  ok: 'Working',
  suspect: 'In doubt',
  dead: 'Dead',
  unknown: undefined,
}
