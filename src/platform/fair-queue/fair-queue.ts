import { AsyncLocalStorage } from 'node:async_hooks'
import { addressBlockOf, networkOf, siteBlockOf } from '../client-address.ts'
import { currentRequest } from '../current-request.ts'
import type { AppError } from '../errors.ts'
import { EventLoopRounds } from './event-loop-rounds.ts'
import { FairSemaphore, type Lane, type Release } from './fair-semaphore.ts'

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
  /** How much of it may wait in a lane. Without a number as much as comes. */
  maxWaiting?: number
  /** How many requests of one caller may wait for the caller's own places; else as many as in a lane. */
  maxWaitingOfCaller?: number
  /** How long anybody waits, in all. Without a number for ever. */
  maxWaitMs?: number
  /** How many places one account or device has in the queue, one address (of IPv6: a /64) and one IPv6 /48. */
  perAccount?: number
  perAddress?: number
  perNetwork?: number
  /** Whether a caller who is signed in goes by their account alone, beside everybody else. */
  hasLaneForAccounts?: boolean
  /** Whether it is done by the one thread that answers everything: then other answers go out in between. */
  isOfMainThread?: boolean
  /**
   * Longer work waits for something else, such as a lock of the database, and gives the shared place back. Work that
   * occupies its resource, such as a thread, has no such time.
   */
  placesForMs?: number
  /**
   * Whether nothing is begun for a caller who has closed their request (`currentRequest`). Not where others wait for the
   * same work; work that has begun goes on.
   */
  endsWithRequest?: boolean
  /** The error when there is no room, in a queue that has a bound. */
  busy?: () => AppError
}

/** The places of one owner in the queue. */
type Places = readonly [owner: string, count: number]

/**
 * Sheds load for all costly work: hashes, and pages and lists that are not cached. A few run at once, the others wait.
 * One caller has only a few in the queue; their further ones wait outside. Known devices, and signed-in callers where
 * the rules say so, wait in a lane of their own, by turns with the others (docs/spec/security.md#fair-work).
 */
export class FairQueue {
  readonly #rules: QueueRules
  readonly #shared: FairSemaphore
  /** The places of each caller who has work here. */
  readonly #own = new Map<string, FairSemaphore>()
  readonly #rounds = new EventLoopRounds()
  /** The group of the running work. */
  readonly #group = new AsyncLocalStorage<string>()

  constructor(rules: QueueRules) {
    this.#rules = rules
    this.#shared = new FairSemaphore(rules.atOnce)
  }

  /** How much work is under way. */
  get running(): number {
    return this.#shared.held
  }

  /** How much work waits, beside that which waits for its caller's own. */
  get waiting(): number {
    return this.#shared.waiting
  }

  /**
   * @throws {AppError} the queue's `busy`, where there is no room within the time that anybody waits; the reason of the request's
   * signal, where its caller has gone
   */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const { hasLaneForAccounts, isOfMainThread, placesForMs, maxWaitMs = Infinity } = this.#rules
    const { maxWaiting = Infinity, maxWaitingOfCaller = maxWaiting } = this.#rules
    const signal = this.#rules.endsWithRequest === true ? currentRequest()?.signal : undefined
    const until = performance.now() + maxWaitMs
    const isApart = caller.device !== undefined || (hasLaneForAccounts === true && caller.account !== undefined)
    const lane: Lane = isApart ? 'apart' : 'usual'
    const group = caller.address === undefined ? '' : (networkOf(caller.address) ?? caller.address)
    let hasWaited = false
    const enter = async (places: FairSemaphore, maxWaiting: number): Promise<Release> => {
      hasWaited = true
      const release = await places.acquire(group, {
        lane,
        maxWaiting,
        withinMs: Math.max(0, until - performance.now()),
        signal,
      })
      signal?.throwIfAborted()
      if (release === undefined) throw this.#rules.busy?.() ?? new Error('There is no room in the queue.')
      return release
    }
    signal?.throwIfAborted()
    const taken: Release[] = []
    let timer: NodeJS.Timeout | undefined
    try {
      for (const [owner, count] of this.#placesOf(caller, isApart)) {
        const places = this.#own.get(owner) ?? new FairSemaphore(count)
        this.#own.set(owner, places)
        const release = places.tryAcquire(group) ?? (await enter(places, maxWaitingOfCaller))
        taken.push(() => {
          release()
          if (places.held === 0) this.#own.delete(owner)
        })
      }
      taken.push(this.#shared.tryAcquire(group) ?? (await enter(this.#shared, maxWaiting)))
      if (hasWaited && isOfMainThread === true) await this.#rounds.next(group)
      signal?.throwIfAborted()
      // Their own places they keep, so that one caller has no more under way than before.
      if (placesForMs !== undefined) timer = setTimeout(() => taken.pop()?.(), placesForMs)
      return await (isOfMainThread === true ? this.#group.run(group, work) : work())
    } finally {
      clearTimeout(timer)
      for (const release of taken.reverse()) release()
    }
  }

  /**
   * For a part of the work that takes milliseconds of the main thread: resolves in a round of the event loop in which no other
   * part of this queue's work begins. Networks have their rounds by turns.
   */
  ownRound(): Promise<void> {
    return this.#rounds.next(this.#group.getStore())
  }

  #placesOf({ account, address, device }: Caller, isApart: boolean): Places[] {
    const { perAccount, perAddress, perNetwork } = this.#rules
    const network = address === undefined ? undefined : siteBlockOf(address)
    // Known callers have places of their own: strangers of their address are not in their way, and many accounts of one
    // address do not fill the common lane.
    const room = isApart ? 'apart ' : ''
    const who =
      isApart && device !== undefined ? `device ${device}` : account === undefined ? undefined : `account ${account}`
    const places = [
      [who, perAccount],
      [address === undefined ? undefined : `${room}address ${addressBlockOf(address)}`, perAddress],
      [network === undefined ? undefined : `${room}network ${network}`, perNetwork],
    ] as const
    return places.filter((each): each is Places => each[0] !== undefined && each[1] !== undefined)
  }
}
