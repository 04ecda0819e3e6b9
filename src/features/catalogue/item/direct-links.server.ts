import type { FileHost } from '../catalogue-config.server.ts'
import { columnsOf } from './fields.ts'
import { type LinkPlace, placeOf } from './file-hosts.ts'
import {
  countMirrors,
  type ItemHealth,
  type LinkSlot,
  linkSlots,
  type MirrorCount,
  type OfferedSlot,
  offeredSlots,
} from './link-slots.ts'

/*
 * The one place that reads the links of items for visitors (docs/spec/catalogue.md#direct-links). A query selects
 * `directLinkColumns` and puts its row into `DirectLinks` at once; they leave it by a call that says for whom.
 * `tests/architecture.test.ts` lists who may name a column of links, and who may call `reveal` and `rewrite`.
 */

/** For the `select` of a query that starts from the base query of visible items. */
export const directLinkColumns = columnsOf(linkSlots)

export type LinksBySlot = Record<LinkSlot, string | null>

/** The links of one item, hidden: neither JSON nor the log shows them. */
export class DirectLinks {
  readonly #links: LinksBySlot

  private constructor(links: LinksBySlot) {
    this.#links = links
  }

  /** Takes the links out of a row, so that nothing that is done with the rest can give them away. */
  static takeFrom<Row extends LinksBySlot>(row: Row): { links: DirectLinks; rest: Omit<Row, LinkSlot> } {
    const { link, link2, linkG, linkP, linkMV1, linkMV2, linkMV3, linkMV4, ...rest } = row
    return { links: new DirectLinks({ link, link2, linkG, linkP, linkMV1, linkMV2, linkMV3, linkMV4 }), rest }
  }

  /** The addresses themselves: for VIPs, and for a visitor at the end of the gateway. */
  reveal(): LinksBySlot {
    return { ...this.#links }
  }

  /** The addresses for everybody else: what the callback makes of each link. */
  rewrite(replacement: (link: string, slot: LinkSlot) => string): LinksBySlot {
    const { ...links } = this.#links
    for (const slot of linkSlots) {
      const link = links[slot]
      links[slot] = link === null ? null : replacement(link, slot)
    }
    return links
  }

  has(slot: LinkSlot): boolean {
    return this.#links[slot] !== null
  }

  isAt(slot: LinkSlot, address: string): boolean {
    return this.#links[slot] === address
  }

  offered(health: ItemHealth): OfferedSlot[] {
    return offeredSlots(this.#links, health)
  }

  countMirrors(health: ItemHealth): MirrorCount {
    return countMirrors(this.#links, health)
  }

  /** The host of a link, which is no secret; undefined for an empty slot. */
  placeOf(slot: LinkSlot, hosts: readonly FileHost[]): LinkPlace | undefined {
    const link = this.#links[slot]
    return link === null ? undefined : placeOf(link, hosts)
  }
}
