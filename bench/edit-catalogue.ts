import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { searchedText } from '../src/features/catalogue/item/searched-text.ts'
import { columnsOf, generateItems, insertItems, sizes } from './generate-catalogue.ts'

/** A published item is changed, with the clearance that its new version needs. */
const clearedWith = (assignments: string): string => `
  with edited as (
    update items set ${assignments}, version = version + 1, cleared_version = version + 1, updated_at = now()
     where no = $1 returning id, version, fingerprint)
  insert into clearances (item_id, version, fingerprint, checks, cleared_by)
  select id, version, fingerprint, '["bench"]', 'bench' from edited`

const rename = clearedWith('name = $2, searched = $3')
const move = clearedWith(`post_date = $2, post_month = extract(month from $2::timestamptz at time zone 'UTC')`)
const restrict = `update items set status = 'restricted' where no = $1`
const publish = clearedWith(`status = 'published'`)

export interface EditedItem {
  no: number
  name: string
  slug: string
  postDate: Date
}

const dayMs = 86_400_000
/** The number of items that are restricted or added before the first of them is published or deleted again. */
const maxWaiting = 60

/** Gives an item another name. */
export async function renameItem(client: pg.Client, no: number, name: string): Promise<void> {
  await client.query(rename, [no, name, searchedText({ name })])
}

/**
 * Changes the catalogue again and again: a quarter of the edits move an item, a quarter add one; the others give names, restrict and
 * publish, and delete what was added. None comes twice to an item within seconds.
 */
export class Editor {
  readonly #client: pg.Client
  readonly #items: EditedItem[]
  readonly #added = generateItems(sizes['10k'])
  readonly #restricted: number[] = []
  readonly #deletable: string[] = []
  edits = 0

  constructor(client: pg.Client, items: EditedItem[]) {
    this.#client = client
    this.#items = items
  }

  /** @returns how many edits a second it came to */
  async run(perSecond: number, over: AbortSignal): Promise<number> {
    const startedAt = performance.now()
    const before = this.edits
    while (!over.aborted) {
      await this.#edit()
      const ahead = startedAt + ((this.edits - before) * 1000) / perSecond - performance.now()
      if (ahead > 0) await sleep(ahead)
    }
    return (this.edits - before) / ((performance.now() - startedAt) / 1000)
  }

  async #edit(): Promise<void> {
    const kind = this.edits % 8
    const item = this.#items[(this.edits * 7) % this.#items.length] as EditedItem
    if (kind === 1 || kind === 5) {
      const days = Math.abs((this.edits % 13) - 6)
      await this.#client.query(move, [item.no, new Date(item.postDate.getTime() - days * dayMs)])
    } else if (kind === 3 || kind === 7) await this.#add(item.postDate)
    else if (kind === 4) await this.#restrict(item.no)
    else if (kind === 6 && this.#deletable.length > maxWaiting)
      await this.#client.query('delete from items where id = $1', [this.#deletable.shift()])
    else await renameItem(this.#client, item.no, `${item.name.slice(0, 280)} ${this.edits}`)
    this.edits += 1
  }

  async #restrict(no: number): Promise<void> {
    if (this.#restricted.length > maxWaiting) await this.#client.query(publish, [this.#restricted.shift()])
    else {
      await this.#client.query(restrict, [no])
      this.#restricted.push(no)
    }
  }

  /** Adds an item like one of the catalogue, on that day. */
  async #add(postDate: Date): Promise<void> {
    const like = this.#added.next().value
    if (like === undefined) throw new Error('There is nothing left to add.')
    const item = { ...like, id: randomUUID(), slug: `${like.slug}-added`, postedAt: postDate.getTime() / 1000 }
    await this.#client.query(insertItems, columnsOf([item]))
    this.#deletable.push(item.id)
  }
}
