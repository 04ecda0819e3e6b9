import type { Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { HttpConfig } from './http-config.ts'
import { ConfigError } from '../platform/config/config.ts'

export interface Listening {
  port: number
  /** Takes no new connections at the further addresses, and resolves when those that came by them have ended. */
  stop(): Promise<void>
}

/** A free port of the first address may be taken at the second one. */
const tries = 5

/**
 * Listens at every address of the configuration, on one port. An address beyond the first that this machine does not
 * have is left out.
 * @throws {ConfigError} naming the setting, when the port is taken at one of them, or no address of this machine
 */
export async function listen(server: Server, { hosts, port }: Pick<HttpConfig, 'hosts' | 'port'>): Promise<Listening> {
  const [first = '', ...others] = hosts
  for (let tried = 1; ; tried += 1) {
    await listenAt(server, first, port)
    const { port: taken } = server.address() as AddressInfo
    const further: NetServer[] = []
    try {
      for (const host of others) further.push(await listenBeside(server, host, taken))
      return { port: taken, stop: async () => void (await Promise.all(further.map(close))) }
    } catch (error) {
      await Promise.all([...further.map(close), close(server)])
      const { code } = error as NodeJS.ErrnoException
      const isFreeElsewhere = port === 0 && code === 'EADDRINUSE' && tried < tries
      if (!isFreeElsewhere) throw error
    }
  }
}

/** Passes connections to this address on to the server; does nothing without such an address. */
async function listenBeside(server: Server, host: string, port: number): Promise<NetServer> {
  const beside = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket))
  try {
    await listenAt(beside, host, port)
    // Such as a shortage of descriptors.
    beside.on('error', (error) => server.emit('error', error))
  } catch (error) {
    // No IPv6 on this machine.
    if (!['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  return beside
}

function listenAt(server: NetServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function close(server: NetServer): Promise<void> {
  return new Promise((resolve) => {
    // Not to have listened at all is the only fault there is.
    server.close(() => resolve())
  })
}

/** Why it cannot listen, with the setting to correct; undefined where no setting helps. */
export function listenFault(error: unknown): ConfigError | undefined {
  const { code = '', address = '', port = 0 } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  const beside = address === '::1' ? ', at [::1] either' : ''
  if (code === 'EADDRINUSE')
    return new ConfigError('PORT', `one that no other process listens on${beside}`, String(port))
  if (code === 'EACCES') return new ConfigError('PORT', 'one that this user may listen on', String(port))
  if (['EADDRNOTAVAIL', 'ENOTFOUND'].includes(code))
    return new ConfigError('HOST', 'an address of this machine', address)
  return undefined
}
