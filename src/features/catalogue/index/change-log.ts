import type { ListedItem } from './item-columns.ts'

/** The change of one item that the feed reports: how it was listed before, and how it is listed now. */
export class ItemChange {
  readonly no: number
  readonly before: ListedItem | undefined
  readonly after: ListedItem | undefined
  /** Whether it comes or goes by the clock otherwise than before. */
  readonly isTimed: boolean
  /** Its searched texts before and now, each once. */
  readonly names: readonly string[]
  /** Only the health of its links has changed: its own page shows that, and no list does. */
  readonly isOfLinksOnly: boolean

  constructor({
    no,
    before,
    after,
    isTimed,
    names,
    isOfLinksOnly = false,
  }: Pick<ItemChange, 'no' | 'before' | 'after' | 'isTimed' | 'names'> & { isOfLinksOnly?: boolean }) {
    this.no = no
    this.before = before
    this.after = after
    this.isTimed = isTimed
    this.names = names
    this.isOfLinksOnly = isOfLinksOnly
  }

  /** Whether one of its names has one of these parts. */
  hasSomeOf(parts: readonly string[]): boolean {
    return this.names.some((name) => parts.some((part) => name.includes(part)))
  }
}

interface Entry {
  version: number
  changes: readonly ItemChange[]
}

/** How many changes are remembered. An older response is computed again. */
const maxRemembered = 5_000
/** After a larger change everything is doubtful: comparing each answer with it would cost what answering does. */
const maxAtOnce = 1_000

/** The recent changes, version by version. */
export class ChangeLog {
  /** The newest last. */
  #entries: Entry[] = []
  #remembered = 0
  /** All changes after this version and up to the other one are here. */
  #from = 0
  #to = 0

  /** Everything may have changed up to this version. */
  reset(version: number): void {
    this.#entries = []
    this.#remembered = 0
    this.#from = version
    this.#to = version
  }

  note(version: number, changes: readonly ItemChange[]): void {
    if (changes.length > maxAtOnce) {
      this.reset(version)
      return
    }
    this.#entries.push({ version, changes })
    this.#to = version
    this.#remembered += changes.length
    while (this.#remembered > maxRemembered) {
      const oldest = this.#entries.shift() as Entry
      this.#remembered -= oldest.changes.length
      this.#from = oldest.version
    }
  }

  /** Whether one of the changes after this version is such, or may have been. */
  hasSince(version: number, isSuch: (change: ItemChange) => boolean): boolean {
    // A later version than the newest is of a database that has been put back since.
    if (version < this.#from || version > this.#to) return true
    for (let i = this.#entries.length - 1; i >= 0; i -= 1) {
      const entry = this.#entries[i] as Entry
      if (entry.version <= version) return false
      if (entry.changes.some(isSuch)) return true
    }
    return false
  }
}
