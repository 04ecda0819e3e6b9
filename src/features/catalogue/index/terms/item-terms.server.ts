import { countedKinds, type Term, termKey } from '../../item/terms.ts'

/** Everything, to make it again. */
export interface SavedTerms {
  starts: Uint32Array
  counts: Uint8Array
  /** Ids of terms, those of one item together. */
  pool: Int32Array
  /** The terms in the order of their ids, a line each: the digit of the kind, and the value. */
  vocabulary: Uint8Array
}

/** How many sets of items are remembered that have a term. */
const maxPostings = 32
/** An item has fewer. */
const mostOfAnItem = 255

/**
 * The terms of all published items (`item/terms.ts`), and which items have one: some 25 bytes an item, and the terms.
 */
export class ItemTerms {
  /** By id: the kind, and the first spelling met. */
  #terms: Term[] = []
  /** Ids by keys; made when it is first needed. */
  #ids: Map<string, number> | undefined = new Map()
  /** By item number: where its terms begin in the pool, and how many they are. */
  #starts: Uint32Array = new Uint32Array(1_024)
  #counts: Uint8Array = new Uint8Array(1_024)
  #pool: Int32Array = new Int32Array(4_096)
  #end = 0
  /** How many places of the pool no item names any more. */
  #wasted = 0
  readonly #postings = new Map<number, Int32Array>()

  constructor(saved?: SavedTerms) {
    if (saved === undefined) return
    this.#ids = undefined
    this.#starts = saved.starts
    this.#counts = saved.counts
    this.#pool = saved.pool
    this.#end = saved.pool.length
    const lines = Buffer.from(saved.vocabulary).toString()
    this.#terms = lines === '' ? [] : lines.split('\n').map((line) => [Number(line[0]), line.slice(1)] as const)
  }

  /** How many different terms there are; their ids are below. */
  get size(): number {
    return this.#terms.length
  }

  save(): SavedTerms {
    return {
      starts: this.#starts.slice(),
      counts: this.#counts.slice(),
      pool: this.#pool.slice(0, this.#end),
      vocabulary: new TextEncoder().encode(this.#terms.map(([kind, value]) => `${kind}${value}`).join('\n')),
    }
  }

  /** Replaces the terms of an item; those of one that is no longer published are none. */
  set(no: number, terms: readonly Term[]): void {
    if (terms.length === 0 && no >= this.#counts.length) return
    // Those that facets count come first.
    const ids = [...new Set(terms.map((term) => this.#idOf(term)))]
      .sort((a, b) => this.kindOf(a) - this.kindOf(b) || a - b)
      .slice(0, mostOfAnItem)
    this.#makeRoom(no, ids.length)
    const before = this.of(no)
    if (before.length === ids.length && ids.every((id, i) => before[i] === id)) return
    for (const id of [...before, ...ids]) this.#postings.delete(id)
    this.#wasted += before.length
    this.#pool.set(ids, this.#end)
    this.#starts[no] = this.#end
    this.#counts[no] = ids.length
    this.#end += ids.length
  }

  /** The ids of an item's terms, those that facets count first. To be used before the next change. */
  of(no: number): Int32Array {
    const start = this.#starts[no] ?? 0
    return this.#pool.subarray(start, start + (this.#counts[no] ?? 0))
  }

  has(no: number, id: number): boolean {
    const start = this.#starts[no] ?? 0
    const end = start + (this.#counts[no] ?? 0)
    for (let i = start; i < end; i += 1) if (this.#pool[i] === id) return true
    return false
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
    const found: number[] = []
    for (let no = 0; no < this.#counts.length; no += 1) if (this.has(no, id)) found.push(no)
    const numbers = Int32Array.from(found)
    const [oldest] = this.#postings.keys()
    if (oldest !== undefined && this.#postings.size >= maxPostings) this.#postings.delete(oldest)
    this.#postings.set(id, numbers)
    return numbers
  }

  /** Calls back for each term of an item that facets count. */
  forCounted(no: number, visit: (id: number, kind: number) => void): void {
    const start = this.#starts[no] ?? 0
    const end = start + (this.#counts[no] ?? 0)
    for (let i = start; i < end; i += 1) {
      const id = this.#pool[i] as number
      const kind = this.kindOf(id)
      if (kind >= countedKinds.length) return
      visit(id, kind)
    }
  }

  #idOf(term: Term): number {
    const ids = this.#allIds()
    const key = termKey(...term)
    let id = ids.get(key)
    if (id === undefined) {
      id = this.#terms.push(term) - 1
      ids.set(key, id)
    }
    return id
  }

  #allIds(): Map<string, number> {
    this.#ids ??= new Map(this.#terms.map((term, id) => [termKey(...term), id]))
    return this.#ids
  }

  #makeRoom(no: number, count: number): void {
    if (no >= this.#counts.length) {
      const capacity = Math.ceil((no + 1) * 1.25)
      const [starts, counts] = [new Uint32Array(capacity), new Uint8Array(capacity)]
      starts.set(this.#starts)
      counts.set(this.#counts)
      this.#starts = starts
      this.#counts = counts
    }
    if (this.#end + count <= this.#pool.length) return
    const live = this.#end - this.#wasted
    const pool = new Int32Array(Math.ceil((live + count) * 1.25) + 4_096)
    let end = 0
    for (let each = 0; each < this.#counts.length; each += 1) {
      const terms = this.of(each)
      pool.set(terms, end)
      this.#starts[each] = end
      end += terms.length
    }
    this.#pool = pool
    this.#end = end
    this.#wasted = 0
  }
}
