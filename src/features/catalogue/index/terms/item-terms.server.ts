import { countedKinds, type Term, termKey } from '../../item/terms.ts'

/** Everything, to make it again. */
export interface SavedTerms {
  sets: Int32Array
  setOf: Int32Array
  starts: Uint32Array
  counts: Uint8Array
  pool: Int32Array
  /** The terms in the order of their ids, a line each: the digit of the kind, and the value. */
  vocabulary: Uint8Array
}

/** How many sets of items are remembered that have a term. */
const maxPostings = 32
/** An item has fewer names. */
const mostNames = 255
/** Numbers by their value: 'Book 2' before 'Book 10'. */
const alphabet = new Intl.Collator('en', { numeric: true })
const ascending = (a: number, b: number): number => a - b
/** Ends a set among the saved ones. */
const endOfSet = -1

/**
 * The terms of all published items (`item/terms.ts`), and which items have one. Many items have the same languages, formats and
 * decade, so that each item names a set of these: facets count sets. Its names (creators, series, tags) lie in a pool. Some 25
 * bytes an item, and the terms.
 */
export class ItemTerms {
  /** By id: the kind, and the first spelling met. */
  #terms: Term[] = []
  /** Ids by keys; made when it is first needed. */
  #ids: Map<string, number> | undefined = new Map()
  /** The sets of counted terms: the first is empty. */
  readonly sets: Int32Array[] = [new Int32Array()]
  #setIds: Map<string, number> | undefined = new Map([['', 0]])
  /** By item number: its set. */
  #setOf: Int32Array = new Int32Array(1_024)
  /** By item number: where its names begin in the pool, and how many they are. */
  #starts: Uint32Array = new Uint32Array(1_024)
  #counts: Uint8Array = new Uint8Array(1_024)
  #pool: Int32Array = new Int32Array(4_096)
  #end = 0
  /** How many places of the pool no item names any more. */
  #wasted = 0
  readonly #postings = new Map<number, Int32Array>()
  #flatSets: { starts: Uint32Array; ids: Int32Array; bits: Uint8Array } | undefined
  /** By id: the sets with it, of those below a number. */
  readonly #setsWith: number[][] = []
  #setsRead = 0
  /** By kind: its ids in the order of the alphabet, of those below a number. */
  readonly #orders = new Map<number, { ids: readonly number[]; upTo: number }>()

  constructor(saved?: SavedTerms) {
    if (saved === undefined) return
    this.#ids = undefined
    this.#setIds = undefined
    this.#setOf = saved.setOf
    this.#starts = saved.starts
    this.#counts = saved.counts
    this.#pool = saved.pool
    this.#end = saved.pool.length
    const lines = Buffer.from(saved.vocabulary).toString()
    this.#terms = lines === '' ? [] : lines.split('\n').map((line) => [Number(line[0]), line.slice(1)] as const)
    for (let from = 0, end = 0; (end = saved.sets.indexOf(endOfSet, from)) >= 0; from = end + 1)
      this.sets.push(saved.sets.slice(from, end))
  }

  save(): SavedTerms {
    return {
      sets: Int32Array.from(this.sets.slice(1).flatMap((set) => [...set, endOfSet])),
      setOf: this.#setOf.slice(),
      starts: this.#starts.slice(),
      counts: this.#counts.slice(),
      pool: this.#pool.slice(0, this.#end),
      vocabulary: new TextEncoder().encode(this.#terms.map(([kind, value]) => `${kind}${value}`).join('\n')),
    }
  }

  /** Replaces the terms of an item; one that is no longer published has none. */
  set(no: number, terms: readonly Term[]): void {
    if (terms.length === 0 && no >= this.#counts.length) return
    const [counted, names]: [number[], number[]] = [[], []]
    for (const term of terms) {
      const [id, ids] = [this.#idOf(term), isCounted(term[0]) ? counted : names]
      if (!ids.includes(id)) ids.push(id)
    }
    counted.sort(ascending)
    names.sort(ascending)
    names.length = Math.min(names.length, mostNames)
    this.#makeRoom(no, names.length)
    const [setBefore, set] = [this.#setOf[no] as number, this.#setIdOf(counted)]
    if (set !== setBefore) {
      this.#forgetPostings(this.sets[setBefore] as Int32Array)
      this.#forgetPostings(counted)
      this.#setOf[no] = set
    }
    const before = this.#namesOf(no)
    if (before.length === names.length && names.every((id, i) => before[i] === id)) return
    this.#forgetPostings(before)
    this.#forgetPostings(names)
    this.#wasted += before.length
    this.#pool.set(names, this.#end)
    this.#starts[no] = this.#end
    this.#counts[no] = names.length
    this.#end += names.length
  }

  /** The place among `sets` of an item's counted terms. */
  setOf(no: number): number {
    return this.#setOf[no] ?? 0
  }

  /** The same by item number, to read before the next change; the numbers of some items without terms lie past its end. */
  get setsOfItems(): Int32Array {
    return this.#setOf
  }

  /** The sets one behind the other: where each begins, its terms, and the kinds of these as bits. Made anew once there are more. */
  get flatSets(): { starts: Uint32Array; ids: Int32Array; bits: Uint8Array } {
    if (this.#flatSets?.starts.length === this.sets.length + 1) return this.#flatSets
    const starts = new Uint32Array(this.sets.length + 1)
    for (const [i, set] of this.sets.entries()) starts[i + 1] = (starts[i] as number) + set.length
    const ids = new Int32Array(starts.at(-1) as number)
    for (const [i, set] of this.sets.entries()) ids.set(set, starts[i])
    return (this.#flatSets = { starts, ids, bits: Uint8Array.from(ids, (id) => 1 << this.kindOf(id)) })
  }

  /** The places among `sets` of those that have a counted term, ascending. */
  setsWith(id: number): readonly number[] {
    for (; this.#setsRead < this.sets.length; this.#setsRead += 1)
      for (const each of this.sets[this.#setsRead] as Int32Array) (this.#setsWith[each] ??= []).push(this.#setsRead)
    return this.#setsWith[id] ?? []
  }

  has(no: number, id: number): boolean {
    return isCounted(this.kindOf(id)) ? (this.sets[this.setOf(no)] as Int32Array).includes(id) : this.#hasName(no, id)
  }

  /** Those of some items that have a name. */
  select(numbers: Int32Array, id: number): Int32Array {
    const some = new Int32Array(numbers.length)
    let count = 0
    for (let i = 0; i < numbers.length; i += 1)
      if (this.#hasName(numbers[i] as number, id)) some[count++] = numbers[i] as number
    return some.subarray(0, count)
  }

  /** The place of its kind in `termKinds`. */
  kindOf(id: number): number {
    return (this.#terms[id] as Term)[0]
  }

  /** As an item spells it. */
  valueOf(id: number): string {
    return (this.#terms[id] as Term)[1]
  }

  /** The id of a term without regard to case and accents; undefined where no item ever had it. */
  find(kind: number, value: string): number | undefined {
    return this.#allIds().get(termKey(kind, value))
  }

  /** The numbers of the items that have a term, ascending. */
  numbersWith(id: number): Int32Array {
    const known = this.#postings.get(id)
    if (known !== undefined) return known
    const inSet = isCounted(this.kindOf(id)) ? Uint8Array.from(this.sets, (set) => Number(set.includes(id))) : undefined
    const found: number[] = []
    for (let no = 0; no < this.#counts.length; no += 1) {
      if (inSet === undefined ? this.#hasName(no, id) : inSet[this.#setOf[no] as number] === 1) found.push(no)
    }
    const numbers = Int32Array.from(found)
    const [oldest] = this.#postings.keys()
    if (oldest !== undefined && this.#postings.size >= maxPostings) this.#postings.delete(oldest)
    this.#postings.set(id, numbers)
    return numbers
  }

  /** Greater than every id. */
  get size(): number {
    return this.#terms.length
  }

  /** Counts an item among those with each of its names, by their ids. */
  countNames(no: number, counts: Uint32Array): void {
    const start = this.#starts[no] ?? 0
    const end = start + (this.#counts[no] ?? 0)
    for (let i = start; i < end; i += 1) {
      const id = this.#pool[i] as number
      counts[id] = (counts[id] as number) + 1
    }
  }

  /** The ids of a kind, as the alphabet has their values. Those that have come since are sorted in. */
  inOrder(kind: number): readonly number[] {
    const { ids = [], upTo = 0 } = this.#orders.get(kind) ?? {}
    if (upTo === this.size) return ids
    const added = Array.from({ length: this.size - upTo }, (_, i) => upTo + i).filter((id) => this.kindOf(id) === kind)
    const compare = (a: number, b: number): number => alphabet.compare(this.valueOf(a), this.valueOf(b)) || a - b
    // Two runs in their order: the sort merges them.
    const sorted = added.length === 0 ? ids : [...ids, ...added.sort(compare)].sort(compare)
    this.#orders.set(kind, { ids: sorted, upTo: this.size })
    return sorted
  }

  #forgetPostings(ids: Iterable<number>): void {
    if (this.#postings.size > 0) for (const id of ids) this.#postings.delete(id)
  }

  #namesOf(no: number): Int32Array {
    const start = this.#starts[no] as number
    return this.#pool.subarray(start, start + (this.#counts[no] as number))
  }

  #hasName(no: number, id: number): boolean {
    const start = this.#starts[no] ?? 0
    const end = start + (this.#counts[no] ?? 0)
    for (let i = start; i < end; i += 1) if (this.#pool[i] === id) return true
    return false
  }

  #idOf(term: Term): number {
    const ids = this.#allIds()
    const key = termKey(...term)
    let id = ids.get(key)
    if (id === undefined) {
      const [kind, value] = term
      // A copy: the value may be a slice of ten thousand items' text, which would stay in memory with it.
      id = this.#terms.push([kind, Buffer.from(value).toString()]) - 1
      ids.set(key, id)
    }
    return id
  }

  #allIds(): Map<string, number> {
    this.#ids ??= new Map(this.#terms.map((term, id) => [termKey(...term), id]))
    return this.#ids
  }

  #setIdOf(ids: readonly number[]): number {
    this.#setIds ??= new Map(this.sets.map((set, id) => [set.join(), id]))
    const key = ids.join()
    let id = this.#setIds.get(key)
    if (id === undefined) {
      id = this.sets.push(Int32Array.from(ids)) - 1
      this.#setIds.set(key, id)
    }
    return id
  }

  #makeRoom(no: number, count: number): void {
    if (no >= this.#counts.length) {
      const capacity = Math.ceil((no + 1) * 1.25)
      const [setOf, starts, counts] = [new Int32Array(capacity), new Uint32Array(capacity), new Uint8Array(capacity)]
      setOf.set(this.#setOf)
      starts.set(this.#starts)
      counts.set(this.#counts)
      this.#setOf = setOf
      this.#starts = starts
      this.#counts = counts
    }
    if (this.#end + count <= this.#pool.length) return
    const live = this.#end - this.#wasted
    const pool = new Int32Array(Math.ceil((live + count) * 1.25) + 4_096)
    let end = 0
    for (let each = 0; each < this.#counts.length; each += 1) {
      const names = this.#namesOf(each)
      pool.set(names, end)
      this.#starts[each] = end
      end += names.length
    }
    this.#pool = pool
    this.#end = end
    this.#wasted = 0
  }
}

function isCounted(kind: number): boolean {
  return kind < countedKinds.length
}
