import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as Listener } from 'node:net'
import { PrivateToBearers } from './private-to-bearers.ts'
import { answerConnectionFaults } from './connections/connection-faults.ts'
import { Connections } from './connections/connections.ts'

const headersTimeoutMs = 15_000
const bodyTimeoutMs = 30_000
const idleTimeoutMs = 60_000
/** How long a stop waits for requests under way. */
const stopTimeoutMs = 10_000
/** A proxy closes connections that rest before that (docs/operating.md#several-instances). */
const proxyRestMs = 6_000
/** However many descriptors there are: each connection takes memory as well. */
const maxOpenConnections = 10_000

/**
 * Node's server with the limits of the site (docs/spec/http.md#request-limits). It passes the requests of a connection
 * on one by one.
 * @param headers for answers to invalid requests: names and values in turn
 * @param onShortage called for each connection that is closed or refused for their number
 * @param hasProxy whether a proxy may be sending a request on a connection that rests: a stop leaves it to the proxy to close
 * these, and answers what comes on them for 6 s
 * @returns the server, and its stop, which lets requests finish
 */
export function openNodeServer(
  receive: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  { headers, hasProxy, onShortage }: { headers: string[]; hasProxy: boolean; onShortage: () => void },
): { server: Server; stop: () => Promise<void> } {
  const maxOpen = maxConnectionsOf(maxDescriptors())
  const connections = new Connections({ maxOpen, onFull: onShortage })
  const server = createServer(
    {
      ServerResponse: PrivateToBearers,
      headersTimeout: headersTimeoutMs,
      requestTimeout: bodyTimeoutMs,
      keepAliveTimeout: 10_000,
      // How often the two timeouts above are checked: they hold to the second.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    connections.inTurn(receive),
  )
  connections.watch(server)
  server.on('error', (error: NodeJS.ErrnoException) => {
    // Without a descriptor for one more connection the others continue. The caller of `listen` handles other errors.
    if (error.syscall === 'accept') onShortage()
    else if (server.listenerCount('error') === 1) throw error
  })
  // A client that takes nothing of its answer for so long has gone.
  server.setTimeout(idleTimeoutMs)
  answerConnectionFaults(server, connections, headers)

  const stop = async (): Promise<void> => {
    connections.stop()
    const timer = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
    // The server's own close would end connections that rest as well.
    const closed = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()))
    if (hasProxy) await connections.drained(proxyRestMs)
    server.closeIdleConnections()
    await closed
    clearTimeout(timer)
  }
  return { server, stop }
}

/** Half, at most 512, is left to the rest: the embedded database has a file open for each table and index that was used. */
export function maxConnectionsOf(descriptors: number): number {
  return Math.min(maxOpenConnections, descriptors - Math.min(512, Math.ceil(descriptors / 2)))
}

/** How many files and sockets this process may have open; 1,024, the usual number, where the system does not say. */
function maxDescriptors(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 1_024)
  } catch {
    return 1_024
  }
}
