import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { addressBlockOf } from '../../platform/client-address.ts'

/** How many requests of one connection may wait for the answer before theirs. */
export const maxWaiting = 500

/** A peer that has not read the last words by then never will. */
const lingerMs = 1_000

interface Connection {
  readonly socket: Socket
  /** The peer's address, of IPv6 a /64. */
  readonly peer: string
  /** The answer that was begun last. */
  current: ServerResponse | undefined
  /** Requests that came before it was sent. */
  waiting: [request: IncomingMessage, response: ServerResponse][]
  /** Whether something happens when the current answer has been sent. */
  isFollowed: boolean
  /** Whether more came than may wait: the connection ends with the last that does. */
  isOverfull: boolean
  /** Sent behind all answers, before the connection ends. */
  lastWords: string | undefined
  isEnding: boolean
  /** A finished answer that is not sent yet, and since when that is known. */
  unsent: { response: ServerResponse; since: number } | undefined
}

const key = Symbol('connection')
type KnownSocket = Socket & { [key]?: Connection }

/**
 * The connections of a server: each has one request answered at a time, in order, and none is held by a peer that takes
 * nothing (docs/decisions/2026-11-22-connections.md).
 */
export class Connections {
  readonly #open = new Set<Connection>()
  /** The same, by where their peers are. */
  readonly #openOf = new Map<string, Set<Connection>>()
  readonly #sendTimeoutMs: number
  readonly #maxOpen: number
  readonly #onFull: () => void
  #isStopping = false
  #answer: RequestListener = () => undefined

  /**
   * @param sendTimeoutMs how long a peer may take to read a whole answer
   * @param maxOpen how many connections are open at once. Beyond it a new one is closed, or, where its peer has at
   * least two fewer than another one, that one's oldest, an idle one first
   * @param onFull called for each connection that is closed for that
   */
  constructor({
    sendTimeoutMs = 120_000,
    maxOpen = Infinity,
    onFull = () => undefined,
  }: { sendTimeoutMs?: number; maxOpen?: number; onFull?: () => void } = {}) {
    this.#sendTimeoutMs = sendTimeoutMs
    this.#maxOpen = maxOpen
    this.#onFull = onFull
  }

  /** To be called before the server listens. */
  watch(server: Server): void {
    server.on('connection', (socket: KnownSocket) => {
      const connection: Connection = {
        socket,
        peer: addressBlockOf(socket.remoteAddress ?? ''),
        current: undefined,
        waiting: [],
        isFollowed: false,
        isOverfull: false,
        lastWords: undefined,
        isEnding: false,
        unsent: undefined,
      }
      socket[key] = connection
      if (this.#open.size >= this.#maxOpen && !this.#makeRoomFor(connection)) {
        socket.destroy()
        return
      }
      this.#add(connection)
      socket.once('close', () => this.#remove(connection))
    })
    // A server that is closed may listen again.
    let timer: NodeJS.Timeout | undefined
    server.on('listening', () => {
      clearInterval(timer)
      timer = setInterval(() => this.#dropStalled(), Math.min(5_000, this.#sendTimeoutMs / 4)).unref()
    })
    server.on('close', () => clearInterval(timer))
  }

  #add(connection: Connection): void {
    this.#open.add(connection)
    const ofPeer = this.#openOf.get(connection.peer) ?? new Set()
    this.#openOf.set(connection.peer, ofPeer.add(connection))
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection)
    const ofPeer = this.#openOf.get(connection.peer)
    ofPeer?.delete(connection)
    if (ofPeer?.size === 0) this.#openOf.delete(connection.peer)
  }

  /** Nobody keeps others out by opening all the connections that there are. */
  #makeRoomFor({ peer }: Connection): boolean {
    this.#onFull()
    let most = new Set<Connection>()
    for (const ofPeer of this.#openOf.values()) if (ofPeer.size > most.size) most = ofPeer
    const all = [...most]
    // One that asks for nothing now, where there is one.
    const oldest = all.find((connection) => !isBusy(connection)) ?? all[0]
    if (oldest === undefined || most.size < (this.#openOf.get(peer)?.size ?? 0) + 2) return false
    // Its place is free at once, not only when the close is reported.
    this.#remove(oldest)
    oldest.socket.destroy()
    return true
  }

  /**
   * Has the requests of a connection answered one after the other. Node parses all that has arrived and would have them
   * answered side by side: one connection could take as much of the server as hundreds.
   */
  inTurn(answer: RequestListener): RequestListener {
    this.#answer = answer
    return (request, response) => this.#receive(request, response)
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = (request.socket as KnownSocket)[key]
    if (connection === undefined) throw new Error('The connections of this server are not watched.')
    if (connection.isOverfull || connection.isEnding || connection.lastWords !== undefined) return
    if (!isBusy(connection)) {
      this.#begin(connection, request, response)
      return
    }
    if (connection.waiting.length >= maxWaiting) {
      connection.isOverfull = true
      return
    }
    connection.waiting.push([request, response])
    this.#followCurrent(connection)
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.current = response
    if ((connection.isOverfull || this.#isStopping) && connection.waiting.length === 0) response.shouldKeepAlive = false
    this.#answer(request, response)
  }

  #followCurrent(connection: Connection): void {
    if (connection.isFollowed) return
    connection.isFollowed = true
    hold(connection)
    connection.current?.once('close', () => this.#follow(connection))
  }

  /** Continues after a sent answer: with the next request, the last words, or further data of the peer. */
  #follow(connection: Connection): void {
    const { socket, waiting, lastWords } = connection
    if (!socket.writable) {
      connection.waiting = []
    } else if (waiting.length > 0) {
      hold(connection)
      // Other connections have their turn in between.
      setImmediate(() => {
        const turn = socket.writable ? connection.waiting.shift() : undefined
        if (turn === undefined) return
        turn[1].once('close', () => this.#follow(connection))
        this.#begin(connection, ...turn)
      })
    } else {
      connection.isFollowed = false
      if (lastWords === undefined) socket.resume()
      else this.#endNow(connection, lastWords)
    }
  }

  /**
   * Ends a connection on which nothing more can be read, behind the answers that are due on it.
   * @param text the whole of a last answer
   */
  endWith(socket: KnownSocket, text: string): void {
    const connection = socket[key]
    if (connection === undefined || !socket.writable) {
      // While the last words are under way, whatever else arrives is let pass.
      if (connection?.isEnding !== true) socket.destroy()
      return
    }
    // A request that did not arrive whole can have no other answer.
    connection.waiting = connection.waiting.filter(([request]) => request.complete)
    const { current } = connection
    if (current === undefined || !isBusy(connection)) this.#endNow(connection, text)
    else if (current.req.complete) {
      connection.lastWords ??= text
      this.#followCurrent(connection)
    } else if (current.headersSent) socket.destroy()
    else this.#endNow(connection, text)
  }

  #endNow(connection: Connection, text: string): void {
    const { socket } = connection
    connection.isEnding = true
    // To end is not to close: a peer that never reads would keep the descriptor for ever.
    const timer = setTimeout(() => socket.destroy(), lingerMs)
    socket.once('close', () => clearTimeout(timer))
    socket.end(text)
    socket.resume()
  }

  /** From now on a connection ends with the answer under way, or with the last of those that wait on it. */
  stop(): void {
    this.#isStopping = true
    for (const { current, waiting } of this.#open) {
      if (current !== undefined && !current.headersSent && waiting.length === 0) current.shouldKeepAlive = false
    }
  }

  /** Resolves when none is open any more, or after this time. */
  async drained(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs
    while (this.#open.size > 0 && performance.now() < end) await wait(50)
  }

  /** The server's idle timeout begins anew with every byte that a peer sends; this one does not. */
  #dropStalled(): void {
    const now = performance.now()
    for (const connection of this.#open) {
      const { current, unsent } = connection
      if (current === undefined || !current.writableEnded || current.writableFinished) connection.unsent = undefined
      else if (unsent?.response !== current) connection.unsent = { response: current, since: now }
      else if (now - unsent.since >= this.#sendTimeoutMs) connection.socket.destroy()
    }
  }
}

/** Reads nothing more from a peer for now. Node reads on, a tick later, when a request is parsed or done with. */
function hold(connection: Connection): void {
  process.nextTick(() =>
    process.nextTick(() => {
      if (connection.isFollowed) connection.socket.pause()
    }),
  )
}

function isBusy({ current, isFollowed }: Connection): boolean {
  return isFollowed || (current !== undefined && !current.writableFinished)
}
