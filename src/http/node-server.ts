import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { PrivateToBearers } from './private-to-bearers.ts'
import { answerConnectionFaults } from './connections/connection-faults.ts'
import { Connections } from './connections/connections.ts'

const headersTimeoutMs = 15_000
const bodyTimeoutMs = 30_000
const idleTimeoutMs = 60_000
/** How long a stop waits for requests under way. */
const stopTimeoutMs = 10_000

/**
 * Node's server with the limits of the site (docs/spec/http.md#request-limits). It hands the requests of a connection on one after
 * the other.
 * @param headers for answers to what is no request: names and values in turn
 * @returns the server, and how to stop it: no new connections, and the requests under way finish
 */
export function openNodeServer(
  receive: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  headers: string[],
): { server: Server; stop: () => Promise<void> } {
  const connections = new Connections()
  const server = createServer(
    {
      ServerResponse: PrivateToBearers,
      headersTimeout: headersTimeoutMs,
      requestTimeout: bodyTimeoutMs,
      keepAliveTimeout: 10_000,
      // How often the two timeouts above are looked after: they are kept to the second.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false,
    },
    connections.inTurn(receive),
  )
  connections.watch(server)
  // A client that takes nothing of its answer for so long has gone.
  server.setTimeout(idleTimeoutMs)
  answerConnectionFaults(server, connections, headers)

  const stop = async (): Promise<void> => {
    connections.stop()
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeIdleConnections()
    const timer = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
    await closed
    clearTimeout(timer)
  }
  return { server, stop }
}
