import { useMemo, useState } from 'react'

/** The rows of a list that are chosen, with the place at which a range begins. */
export interface RangeState {
  chosen: ReadonlySet<string>
  /** The chosen ones before the range under way, which it is added to. */
  base: ReadonlySet<string>
  anchor?: string
  /** Where the range under way ends. */
  end?: string
}

const nothing: RangeState = { chosen: new Set(), base: new Set() }

/** The rows from one to another, with both, in that direction; none where one of them is missing. */
export function rangeOf(ids: readonly string[], from: string | undefined, to: string): string[] {
  const [start, end] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  if (start < 0 || end < 0) return []
  return start <= end ? ids.slice(start, end + 1) : ids.slice(end, start + 1).toReversed()
}

/** Turns one row around. Ranges begin at it. */
export function toggle({ chosen }: RangeState, id: string, max = Infinity): RangeState {
  const next = new Set(chosen)
  if (!next.delete(id) && next.size < max) next.add(id)
  return { chosen: next, base: next, anchor: id }
}

/**
 * Gives all rows from the one that was turned last to this one its state; a range made before from there is taken back.
 * @param ids all rows that can be chosen, in their order
 */
export function extendTo(state: RangeState, ids: readonly string[], id: string, max = Infinity): RangeState {
  const { base, anchor } = state
  const range = rangeOf(ids, anchor, id)
  if (anchor === undefined || range.length === 0) return toggle(state, id, max)
  const next = new Set(base)
  for (const one of range) {
    if (!base.has(anchor)) next.delete(one)
    else if (next.size < max) next.add(one)
  }
  return { chosen: next, base, anchor, end: id }
}

/** Extends the range under way from the row in focus to the next one, or begins one there. */
export function stepTo(
  state: RangeState,
  ids: readonly string[],
  { from, to }: { from: string; to: string },
  max = Infinity,
): RangeState {
  if (state.end === from) return extendTo(state, ids, to, max)
  const base = new Set(state.chosen)
  if (base.size < max) base.add(from)
  return extendTo({ chosen: base, base, anchor: from }, ids, to, max)
}

/** @param max how many rows can be chosen */
export function useRangeSelection(max: number, initial: readonly string[] = []) {
  const [state, setState] = useState<RangeState>(() => {
    const chosen = new Set(initial)
    return { chosen, base: chosen }
  })
  const acts = useMemo(
    () => ({
      toggle: (id: string) => setState((before) => toggle(before, id, max)),
      /** Shift and a click. */
      extendTo: (ids: readonly string[], id: string) => setState((before) => extendTo(before, ids, id, max)),
      /** Shift and an arrow. */
      stepTo: (ids: readonly string[], step: { from: string; to: string }) =>
        setState((before) => stepTo(before, ids, step, max)),
      drop: (id: string) => setState((before) => (before.chosen.has(id) ? toggle(before, id) : before)),
      clear: () => setState(nothing),
    }),
    [max],
  )
  return { chosen: state.chosen, ...acts }
}

export type RangeSelection = ReturnType<typeof useRangeSelection>
