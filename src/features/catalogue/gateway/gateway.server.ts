import type { KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import {
  type GatewayConfig,
  type GatewayProvider,
  isOwnAccount,
  strangersPublisherId,
} from '../catalogue-config.server.ts'
import { readRsaPublicKey } from '../../../platform/config/rsa-public-key.ts'
import { ensureInstallationSecret } from '../../accounts/user/installation-secret.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { DirectLinks, LinksBySlot } from '../item/direct-links.server.ts'
import { fileHostOf } from '../item/file-hosts.ts'
import type { LinkSlot } from '../item/link-slots.ts'
import { linkvertiseAddress } from './linkvertise.server.ts'

/** The administrators' settings; version 0 is the environment's. */
export interface GatewaySettings extends GatewayConfig {
  version: number
}

export interface GatewayState {
  /** The provider that visitors pass: `off` while another that was set cannot work. */
  inForce: GatewayProvider
  /** Why the provider that was set is not in force, or why it failed last; undefined while all is well. */
  fault: string | undefined
  /** Since when, in milliseconds since 1970. */
  faultSince: number | undefined
}

/** A failure that every visitor meets is logged this often. */
const failureEveryMs = 60_000

/** Encrypted once to prove that the key works. */
const testLink = 'https://example.org/'

/**
 * The gateway between free visitors and the links on file hosts (docs/spec/catalogue.md#gateway). Settings and
 * catalogue are read together (`ListingIndex`), so that nothing is made from new links and old settings.
 */
export class Gateway {
  /** The version of the gathered links at which this process last looked whether it is idle. */
  comparedAt: string | undefined
  readonly #app: Pick<CatalogueApp, 'config' | 'texts' | 'log' | 'clock' | 'rehearsal'>
  #settings: GatewaySettings
  #state: GatewayState
  #key: KeyObject | undefined
  #ticketSecret: Promise<Buffer> | undefined
  #isLoaded = false
  #isIdle = false
  #failureLoggedAt = -Infinity
  #uncountedLoggedAt = -Infinity

  constructor(app: Pick<CatalogueApp, 'config' | 'texts' | 'log' | 'clock' | 'rehearsal'>) {
    this.#app = app
    this.#settings = { ...app.config.gateway, version: 0 }
    this.#state = this.#computeState()
    this.#updateTexts()
  }

  get settings(): GatewaySettings {
    return this.#settings
  }

  get state(): GatewayState {
    // A copy in rehearsal sends nobody elsewhere.
    if (this.#app.rehearsal.isOn && this.#state.inForce === 'linkvertise') return { ...this.#state, inForce: 'local' }
    return this.#state
  }

  /** @returns what administrators have saved; undefined before they did */
  async readSaved(db: Queryable<CatalogueDatabase>): Promise<GatewaySettings | undefined> {
    const row = await db.selectFrom('gateway_settings').selectAll().executeTakeFirst()
    if (row === undefined) return undefined
    const { version, provider, account, public_key: publicKey, raw, wait_seconds: waitSeconds } = row
    return { version, provider, account, publicKey, raw, waitSeconds }
  }

  /** Whether entries with links are published, and no link of a free one lies on a file host: nobody passes the gateway then. */
  async readIsIdle(db: Queryable<CatalogueDatabase>): Promise<boolean> {
    const domains = this.#app.config.fileHosts.flatMap((host) => host.domains)
    // Links are many and hosts are few: each host is looked up in their index once.
    const { rows } = await sql<{ is_idle: boolean }>`
      with recursive hosts as (
        (select host from link_checks order by host limit 1)
        union all
        select (select c.host from link_checks c where c.host > h.host order by c.host limit 1)
          from hosts h where h.host is not null),
      gated as materialized (
        select host from hosts
         where rtrim(host, '.') = any(${domains}::text[])
            or rtrim(host, '.') like any(${domains.map((domain) => `%.${domain}`)}::text[]))
      select exists (select from item_links) and not exists (
        select from gated join link_checks c using (host)
          join item_links l on l.link_id = c.id join items i on i.no = l.item_no
         where i.content_type not like 'vip%') as is_idle`.execute(db)
    return rows[0]?.is_idle === true
  }

  /**
   * Puts settings in force; undefined: those of the environment.
   * @param isIdle whether nobody passes the gateway (`readIsIdle`)
   */
  use(saved: GatewaySettings | undefined, isIdle = false): void {
    const next = saved ?? { ...this.#app.config.gateway, version: 0 }
    this.#isIdle = isIdle
    if (this.#isLoaded && next.version === this.#settings.version) return this.#updateTexts()
    this.#settings = next
    this.#state = this.#computeState()
    this.#isLoaded = true
    this.#updateTexts()
    const { fault } = this.#state
    if (fault !== undefined) this.#app.log.warn({ provider: next.provider }, `The gateway is off: ${fault}`)
  }

  /** As it was read with the settings. */
  get isIdle(): boolean {
    return this.#isIdle
  }

  /** Whether anything stands between free visitors and the links on file hosts. */
  get isOn(): boolean {
    return this.#state.inForce !== 'off'
  }

  /** The links of an item for a free caller: the gateway's address in place of each link to a file host. */
  linksForFree(slug: string, links: DirectLinks): LinksBySlot {
    if (!this.isOn) return links.reveal()
    return links.rewrite((link, slot) => (this.isGated(link) ? goPath(slug, slot) : link))
  }

  isGated(link: string): boolean {
    return this.isOn && fileHostOf(link, this.#app.config.fileHosts) !== undefined
  }

  /** @throws when it cannot be made; the caller fails open */
  linkvertiseAddressOf(link: string): string {
    const { account, raw } = this.#settings
    if (this.#key === undefined) throw new Error('There is no key.')
    return linkvertiseAddress(link, { account, key: this.#key, isRaw: raw })
  }

  /** The key that signs tickets. It is created with the first ticket of this installation, and read once a process. */
  ticketSecret(db: Queryable<CatalogueDatabase>): Promise<Buffer> {
    this.#ticketSecret ??= ensureInstallationSecret(db, 'gateway-tickets').catch((error: unknown) => {
      // The next ticket tries again.
      this.#ticketSecret = undefined
      throw error
    })
    return this.#ticketSecret
  }

  /** A visitor was let through because the provider failed. */
  recordFailure(error: unknown): void {
    const now = this.#app.clock.now()
    this.#state = {
      ...this.#state,
      fault: 'The last visitors were sent straight on: their address could not be made. The log says why.',
      faultSince: this.#state.faultSince ?? now,
    }
    if (now - this.#failureLoggedAt < failureEveryMs) return
    this.#failureLoggedAt = now
    this.#app.log.error({ err: error }, 'The gateway fails open: visitors get the direct links.')
  }

  /** A visitor was let through whose download could not be counted. */
  recordUncounted(error: unknown): void {
    const now = this.#app.clock.now()
    if (now - this.#uncountedLoggedAt < failureEveryMs) return
    this.#uncountedLoggedAt = now
    this.#app.log.error({ err: error }, 'Downloads could not be counted. They go on.')
  }

  /** A visitor has passed: an earlier failure is over. */
  recordSuccess(): void {
    const { inForce, fault } = this.#state
    if (fault !== undefined && inForce === this.#settings.provider)
      this.#state = { inForce, fault: undefined, faultSince: undefined }
  }

  #computeState(): GatewayState {
    const { provider, publicKey } = this.#settings
    this.#key = provider === 'linkvertise' ? readRsaPublicKey(publicKey) : undefined
    const fault = this.#findFault()
    return fault === undefined
      ? { inForce: provider, fault: undefined, faultSince: undefined }
      : { inForce: 'off', fault, faultSince: this.#app.clock.now() }
  }

  /** The first texts of the site speak of advertising and of waiting (docs/spec/pages.md#promises). */
  #updateTexts(): void {
    this.#app.texts.useGateway({ provider: this.#state.inForce, isIdle: this.#isIdle })
  }

  #findFault(): string | undefined {
    const { provider, account } = this.#settings
    if (provider !== 'linkvertise') return undefined
    if (!isOwnAccount(account)) {
      return `Linkvertise needs your own publisher id. Without one, or with ${strangersPublisherId}, which belongs to a stranger, downloads are direct links.`
    }
    if (this.#key === undefined) return 'The key of Linkvertise cannot be read. Downloads are direct links.'
    try {
      this.linkvertiseAddressOf(testLink)
      return undefined
    } catch (error) {
      return `Nothing can be encrypted with the key of Linkvertise (${(error as Error).message}). Downloads are direct links.`
    }
  }
}

/** The address that free visitors follow in place of a link. Without a gateway it leads straight on. */
export function goPath(slug: string, slot: LinkSlot): string {
  return `/go/${slug}/${slot}`
}
