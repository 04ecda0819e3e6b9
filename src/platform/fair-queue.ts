import { AsyncLocalStorage } from 'node:async_hooks'
import { addressBlockOf, networkOf, siteBlockOf } from './client-address.ts'
import type { AppError } from './errors.ts'
import { Rounds } from './rounds.ts'
import { Turns } from './turns.ts'

/** The caller. An unknown part limits nothing. */
export interface Caller {
  /** The id of the account, or the folded address that was typed for it, whether or not there is one. */
  account?: string | undefined
  /** As `clientAddressOf` tells it. */
  address?: string | undefined
  /** The id of their device, where it is known for the account: strangers who guess at the account are not in its way. */
  device?: string | undefined
}

export interface QueueRules {
  /** How much of this work is done at once. */
  atOnce: number
  /** How much of it may wait in a lane. */
  maxWaiting: number
  /** How long anybody waits, in all. */
  maxWaitMs: number
  /** How many places one account or device has in the queue, one address (of IPv6: a /64) and one IPv6 /48. */
  perAccount: number
  perAddress: number
  perNetwork: number
  /** Whether a caller who is signed in goes by their account alone, beside everybody else. */
  hasLaneForAccounts?: boolean
  /** Whether it is done by the one thread that answers everything: then other answers go out in between. */
  isOfMainThread?: boolean
  /**
   * Longer work waits for something else, such as a lock of the database, and gives the shared place back. Work that
   * occupies its resource, such as a thread, has no such time.
   */
  placesForMs?: number
  /** The error when there is no room. */
  busy: () => AppError
}

/** The owner of a place in the queue, and how many places that owner has. */
type Place = readonly [key: string, most: number]

/**
 * Sheds load, in one way for all work that costs much: hashes of passwords, pages and lists that nobody keeps. A few are
 * done at once, the others wait. Nobody can fill the queue alone: of one caller only a few are in it, and further ones
 * wait for these, outside. Known devices, and signed-in callers where the rules say so, wait in a lane of their own, by
 * turns with all others (docs/spec/security.md#fair-work).
 */
export class FairQueue {
  readonly #rules: QueueRules
  readonly #turns = new Turns()
  readonly #rounds = new Rounds()
  /** The caller of the running work. */
  readonly #group = new AsyncLocalStorage<string>()

  constructor(rules: QueueRules) {
    this.#rules = rules
  }

  /** @throws {AppError} 503 with `retryAfterSeconds`, where there is no room within the time that anybody waits */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const {
      atOnce,
      maxWaiting,
      maxWaitMs,
      hasLaneForAccounts = false,
      isOfMainThread = false,
      placesForMs,
      busy,
    } = this.#rules
    const until = performance.now() + maxWaitMs
    const isApart = caller.device !== undefined || (hasLaneForAccounts && caller.account !== undefined)
    const lane = isApart ? 'first' : 'usual'
    const group = caller.address === undefined ? '' : (networkOf(caller.address) ?? caller.address)
    const taken: (() => void)[] = []
    const giveBack = (): void => {
      for (const leave of taken.splice(0).reverse()) leave()
    }
    /** That of everybody is the last one. Their own place they keep, so that one caller has no more under way than before. */
    const giveBackShared = (): void => taken.pop()?.()
    let hasWaited = false
    let timer: NodeJS.Timeout | undefined
    try {
      for (const [key, max] of [...this.#placesOf(caller, isApart), ['everybody', atOnce] as const]) {
        const leave = this.#turns.enterNow(key, max, group)
        if (leave !== undefined) {
          taken.push(leave)
          continue
        }
        hasWaited = true
        const withinMs = Math.max(0, until - performance.now())
        const later = await this.#turns.enter(key, { max, maxWaiting, withinMs, lane, group })
        if (later === undefined) throw busy()
        taken.push(later)
      }
      if (hasWaited && isOfMainThread) await this.#rounds.own(group)
      if (placesForMs !== undefined) timer = setTimeout(giveBackShared, placesForMs)
      return await (isOfMainThread ? this.#group.run(group, work) : work())
    } finally {
      clearTimeout(timer)
      giveBack()
    }
  }

  /**
   * For a part of the work that takes milliseconds of the main thread: resolves in a round of the event loop in which no other
   * part of this queue's work begins. Networks have their rounds by turns.
   */
  ownRound(): Promise<void> {
    return this.#rounds.own(this.#group.getStore())
  }

  #placesOf({ account, address, device }: Caller, isApart: boolean): Place[] {
    const { perAccount, perAddress, perNetwork } = this.#rules
    const network = address === undefined ? undefined : siteBlockOf(address)
    // Known callers have places of their own: strangers of their address are not in their way, and many accounts of one
    // address do not fill the common lane.
    const room = isApart ? 'apart ' : ''
    const who =
      isApart && device !== undefined ? `device ${device}` : account === undefined ? undefined : `account ${account}`
    return [
      ...(who === undefined ? [] : [[who, perAccount] as const]),
      ...(address === undefined ? [] : [[`${room}address ${addressBlockOf(address)}`, perAddress] as const]),
      ...(network === undefined ? [] : [[`${room}network ${network}`, perNetwork] as const]),
    ]
  }
}
