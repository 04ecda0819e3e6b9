import type { NumberSet } from './listing-columns.ts'
import { NameSegment, SegmentBuilder, type SegmentColumns } from './name-segment.server.ts'

/** A published item that has changed, and its folded name; without one, it is no longer published. */
export interface ChangedName {
  no: number
  folded: string | undefined
}

/** The items whose names have every word of a text. To be used before the next text is looked for. */
export interface NameMatches extends NumberSet {
  numbers: Int32Array
}

/** Merges segments into one, somewhere else; their columns are shared. Undefined: it failed, and that was told. */
export type Merge = (
  segments: readonly { id: number; columns: SegmentColumns }[],
  homes: Uint8Array,
) => Promise<SegmentColumns | undefined>

/** Names that changed since the last segment was made: each text is compared with all of them. */
const maxRecent = 2_000
/** So many segments are merged into one. */
const maxSegments = 6
/** Where the name of an item lies: in a segment by its id, among the recent ones, or nowhere. */
const [nowhere, amongRecent] = [0, 255]

/**
 * The folded names of all published items, and which of them have some words anywhere: exactly, in any script. Segments that never
 * change hold most of them, a map those that changed lately (docs/decisions/2026-11-28-names-in-memory.md).
 */
export class NameIndex {
  readonly #merge: Merge
  #segments: { id: number; segment: NameSegment }[] = []
  readonly #recent = new Map<number, string>()
  /** By item number: the id of its segment, `amongRecent` or `nowhere`. Shared with the worker that merges. */
  #homes = new Uint8Array(new SharedArrayBuffer(1_024))
  /** By item number, while a text is looked for: how many of its words were found. */
  #marks = new Uint8Array(1_024)
  #found = new Int32Array(1_024)
  #merging: Promise<void> | undefined
  /** Raised when everything is replaced: a merge of what was before is not used. */
  #epoch = 0

  constructor(merge: Merge) {
    this.#merge = merge
  }

  /** Replaces everything. */
  load(columns: SegmentColumns): void {
    this.#epoch += 1
    this.#segments = []
    this.#recent.clear()
    this.#homes.fill(nowhere)
    this.#makeRoom(columns.itemNumbers.at(-1) ?? 0)
    this.#addSegment(new NameSegment(columns))
  }

  change(changed: readonly ChangedName[]): void {
    for (const { no, folded } of changed) {
      if (folded === undefined) {
        this.#recent.delete(no)
        if (no < this.#homes.length) this.#homes[no] = nowhere
        continue
      }
      if (this.nameOf(no) === folded) continue
      this.#makeRoom(no)
      this.#homes[no] = amongRecent
      this.#recent.set(no, folded)
    }
    if (this.#recent.size < maxRecent) return
    const builder = new SegmentBuilder()
    for (const [no, folded] of [...this.#recent].sort(([a], [b]) => a - b)) builder.add(no, folded)
    this.#recent.clear()
    this.#addSegment(new NameSegment(builder.finish()))
    if (this.#segments.length >= maxSegments) this.#merging ??= this.#mergeAll()
  }

  /** The folded name of an item; undefined for one that is not here. */
  nameOf(no: number): string | undefined {
    const home = this.#homes[no] ?? nowhere
    return home === amongRecent ? this.#recent.get(no) : this.#segmentOf(home)?.nameOf(no)
  }

  /** @param words folded, at least one, without spaces */
  match(words: readonly string[]): NameMatches {
    const marks = this.#marks.fill(0)
    let count = 0
    for (const { id, segment } of this.#segments) count = this.#matchSegment(id, segment, words, count)
    for (const [no, folded] of this.#recent) {
      if (!words.every((word) => folded.includes(word))) continue
      marks[no] = words.length
      this.#found[count++] = no
    }
    return { numbers: this.#found.subarray(0, count), has: (no) => marks[no] === words.length }
  }

  #matchSegment(id: number, segment: NameSegment, words: readonly string[], countBefore: number): number {
    const marks = this.#marks
    const found = this.#found
    const homes = this.#homes
    const { postings, postingStarts } = segment.columns
    // The rarest first: each further word looks at those items alone that have all before.
    const lookups = words.map((word) => segment.wordsWith(word)).sort((a, b) => a.postingCount - b.postingCount)
    let count = countBefore
    for (const [before, { wordNumbers }] of lookups.entries()) {
      count = countBefore
      for (const word of wordNumbers) {
        const end = postingStarts[word + 1] as number
        for (let i = postingStarts[word] as number; i < end; i += 1) {
          const no = postings[i] as number
          if (marks[no] !== before || homes[no] !== id) continue
          marks[no] = before + 1
          found[count++] = no
        }
      }
      if (count === countBefore) break
    }
    return count
  }

  /**
   * Items whose names have one of these parts, at most `max`: those of the rarest parts first, of each the highest numbers.
   * @param parts folded, without spaces
   */
  sharing(
    parts: readonly string[],
    { maxParts, max, isWanted }: { maxParts: number; max: number; isWanted: (no: number) => boolean },
  ): number[] {
    const telling = parts
      .map((part) => ({ part, size: this.#postingCount(part) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => a.size - b.size)
      .slice(0, maxParts)
    const sharing = new Set<number>()
    for (const { part } of telling) {
      for (const no of descending(this.match([part]))) {
        if (sharing.size >= max) return [...sharing]
        if (isWanted(no)) sharing.add(no)
      }
    }
    return [...sharing]
  }

  #postingCount(part: string): number {
    let count = 0
    for (const { segment } of this.#segments) count += segment.wordsWith(part).postingCount
    for (const folded of this.#recent.values()) if (folded.includes(part)) count += 1
    return count
  }

  /** Resolves when no segments are being merged. */
  async whenMerged(): Promise<void> {
    await this.#merging
  }

  async #mergeAll(): Promise<void> {
    const epoch = this.#epoch
    const merged = this.#segments
    try {
      const columns = await this.#merge(
        merged.map(({ id, segment }) => ({ id, columns: segment.columns })),
        this.#homes,
      )
      if (columns === undefined || epoch !== this.#epoch) return
      const ids = new Set(merged.map(({ id }) => id))
      this.#segments = this.#segments.filter(({ id }) => !ids.has(id))
      this.#addSegment(new NameSegment(columns), ids)
    } finally {
      this.#merging = undefined
    }
  }

  /** @param from the homes of which it takes the items; those among the recent ones where nothing is said */
  #addSegment(segment: NameSegment, from?: ReadonlySet<number>): void {
    const taken = new Set(this.#segments.map(({ id }) => id))
    let id = 1
    while (taken.has(id)) id += 1
    const isFrom = Array.from({ length: 256 }, (_, home) => from === undefined || from.has(home))
    for (const no of segment.columns.itemNumbers) if (isFrom[this.#homes[no] as number]) this.#homes[no] = id
    this.#segments.push({ id, segment })
  }

  #segmentOf(home: number): NameSegment | undefined {
    return this.#segments.find(({ id }) => id === home)?.segment
  }

  #makeRoom(no: number): void {
    if (no < this.#homes.length) return
    const capacity = Math.ceil((no + 1) * 1.25)
    const homes = new Uint8Array(new SharedArrayBuffer(capacity))
    homes.set(this.#homes)
    this.#homes = homes
    this.#marks = new Uint8Array(capacity)
    this.#found = new Int32Array(capacity)
  }
}

/** Few are sorted; of many the first are soon met on the way down. */
function* descending({ numbers, has }: NameMatches): Iterable<number> {
  if (numbers.length < 5_000) {
    yield* numbers.toSorted().reverse()
    return
  }
  let highest = 0
  for (const no of numbers) if (no > highest) highest = no
  for (let no = highest; no > 0; no -= 1) if (has(no)) yield no
}
