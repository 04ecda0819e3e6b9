import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { freePort } from '../harness/free-port.ts'

/**
 * The times of Patroni, in seconds: a primary that does not renew its lease for `ttl` has lost it. Patroni asks for
 * `ttl` to be at least `loop_wait` and twice `retry_timeout` together.
 */
const patroniTimes = { ttl: 15, loop_wait: 4, retry_timeout: 5 }
/**
 * How long a primary that has lost etcd is given to shut down. Cut off, it would wait for the standby that cannot confirm what it
 * sends, and Patroni 3.0.2 then begins a second demotion beside the first: each starts PostgreSQL, one of the two is nobody's, and
 * the node comes back with a log of its own.
 */
const stopWithinSeconds = 3

interface Node {
  name: string
  folder: string
  /** Where its parts listen. */
  ports: { postgres: number; rest: number }
  /** The network between it and everybody else: to its database, its REST interface, and from it to etcd. */
  network: { postgres: DatabaseProxy; rest: DatabaseProxy; etcd: DatabaseProxy }
  patroni: ChildProcess | undefined
}

/** PostgreSQL with a synchronous standby under Patroni and etcd, behind HAProxy, all of it on this machine. */
export interface Cluster {
  /** The address of the primary, by HAProxy. */
  url: string
  /** Waits until there is one primary and one synchronous standby. */
  isWhole(): Promise<void>
  /** Ends the primary's database and its Patroni at once. @returns what brings the node back */
  killPrimary(): Promise<() => Promise<void>>
  /** Stops all processes of the primary where they stand. @returns what lets them go on */
  freezePrimary(): Promise<() => Promise<void>>
  /** Nothing reaches the primary any more, and nothing from it the others. @returns what mends the network */
  isolatePrimary(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Starts the cluster. It needs Debian's packages patroni, etcd-server, haproxy and postgresql. */
export async function openCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-cluster-'))
  const owner = await accountOfPostgres()
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  const etcdPort = await freePort()
  const etcd = startTool('etcd', [
    '--data-dir',
    join(folder, 'etcd'),
    '--listen-client-urls',
    `http://127.0.0.1:${etcdPort}`,
    '--advertise-client-urls',
    `http://127.0.0.1:${etcdPort}`,
    '--listen-peer-urls',
    `http://127.0.0.1:${await freePort()}`,
    '--log-level',
    'error',
    '--enable-v2=true',
  ])
  const nodes: Node[] = []
  const tools = [etcd]
  try {
    for (const name of ['one', 'two']) nodes.push(await describeNode(name, folder, etcdPort))
    for (const node of nodes) {
      await mkdir(node.folder, { mode: 0o700 })
      await writeFile(join(node.folder, 'patroni.yml'), configOf(node))
      if (owner !== undefined) await chown(node.folder, owner.uid, owner.gid)
      start(node, owner)
      // The first one makes the database, the second one copies it.
      await until(async () => (await roleOf(node)) !== undefined, `the node ${node.name} runs`)
    }
    const port = await freePort()
    await writeFile(join(folder, 'haproxy.cfg'), haproxyConfig(port, nodes))
    tools.push(startTool('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')]))
    return clusterOf({ folder, nodes, tools, owner, url: `postgresql://postgres@127.0.0.1:${port}` })
  } catch (error) {
    await closeAll({ folder, nodes, tools })
    throw error
  }
}

interface Parts {
  folder: string
  nodes: Node[]
  tools: ChildProcess[]
}

interface Owner {
  uid: number
  gid: number
}

function clusterOf({ owner, url, ...parts }: Parts & { owner: Owner | undefined; url: string }): Cluster {
  const { nodes } = parts
  const primary = async (): Promise<Node> => {
    for (const node of nodes) if ((await roleOf(node)) === 'primary') return node
    throw new Error('There is no primary.')
  }
  return {
    url,
    async isWhole() {
      const isWhole = async (): Promise<boolean> => {
        const roles = await Promise.all(nodes.map(roleOf))
        return roles.includes('primary') && roles.includes('sync')
      }
      await until(isWhole, 'the cluster is whole').catch(async (error: Error) => {
        for (const node of nodes) error.message += `\n${node.name}:\n${await lastWordsOf(node)}`
        throw error
      })
    },
    async killPrimary() {
      const node = await primary()
      const killed = await processesOf(node)
      node.patroni = undefined
      signal(killed, 'SIGKILL')
      return async () => start(node, owner)
    },
    async freezePrimary() {
      const frozen = await processesOf(await primary())
      signal(frozen, 'SIGSTOP')
      return async () => signal(frozen, 'SIGCONT')
    },
    async isolatePrimary() {
      const { network } = await primary()
      for (const link of Object.values(network)) link.state = 'silent'
      return async () => {
        for (const link of Object.values(network)) {
          link.state = 'open'
          // Connections from before the cut are broken, as a network's own timeouts would do.
          link.cut()
        }
      }
    },
    close: () => closeAll(parts),
  }
}

async function closeAll({ folder, nodes, tools }: Parts): Promise<void> {
  for (const node of nodes) {
    const processes = await processesOf(node)
    node.patroni = undefined
    signal(processes, 'SIGCONT')
    signal(processes, 'SIGKILL')
    for (const link of Object.values(node.network)) await link.close()
  }
  for (const tool of tools) tool.kill('SIGKILL')
  await wait(500)
  await rm(folder, { recursive: true, force: true })
}

async function describeNode(name: string, folder: string, etcdPort: number): Promise<Node> {
  const ports = { postgres: await freePort(), rest: await freePort() }
  const linkTo = (port: number) => openDatabaseProxy(`postgresql://127.0.0.1:${port}`)
  const network = {
    postgres: await linkTo(ports.postgres),
    rest: await linkTo(ports.rest),
    etcd: await linkTo(etcdPort),
  }
  return { name, folder: join(folder, name), ports, network, patroni: undefined }
}

const logOf = ({ folder }: Node): string => join(folder, 'patroni.log')

async function lastWordsOf(node: Node): Promise<string> {
  const said = await readFile(logOf(node), 'utf8').catch(() => '')
  return said.trimEnd().split('\n').slice(-12).join('\n')
}

function start(node: Node, owner: Owner | undefined): void {
  // PostgreSQL refuses to run as root.
  const log = openSync(logOf(node), 'a')
  const patroni = spawn('patroni', [join(node.folder, 'patroni.yml')], { stdio: ['ignore', log, log], ...owner })
  closeSync(log)
  node.patroni = patroni
  // As Debian's unit does: it ends of itself, such as of an etcd that has not decided on its version yet.
  patroni.once('exit', () => setTimeout(() => node.patroni === patroni && start(node, owner), 1_000).unref())
}

function configOf({ name, folder, ports, network }: Node): string {
  return JSON.stringify({
    scope: 'daybook',
    name,
    restapi: { listen: `127.0.0.1:${ports.rest}`, connect_address: `127.0.0.1:${network.rest.port}` },
    // By the API v3, Patroni before 3.1 overwrites the lock of the new primary when an old one wakes up, and its writes are lost.
    // Patroni would ask etcd for its own address and go round the network of the node.
    etcd: { hosts: [`127.0.0.1:${network.etcd.port}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...patroniTimes,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        primary_stop_timeout: stopWithinSeconds,
        postgresql: { use_pg_rewind: true, parameters: { wal_log_hints: 'on', max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums', { auth: 'trust' }, { username: 'postgres' }],
    },
    postgresql: {
      listen: `127.0.0.1:${ports.postgres}`,
      connect_address: `127.0.0.1:${network.postgres.port}`,
      data_dir: join(folder, 'data'),
      pgpass: join(folder, 'pgpass'),
      use_unix_socket: true,
      remove_data_directory_on_diverged_timelines: true,
      remove_data_directory_on_rewind_failure: true,
      // A copy would else wait for a checkpoint that PostgreSQL spreads over four and a half minutes.
      basebackup: [{ checkpoint: 'fast' }],
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'postgres' } },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: folder },
      ...binaries(),
    },
  })
}

let binDir: string | undefined
/** Where the programs of PostgreSQL lie, once `accountOfPostgres` has looked; nothing where they are in the path. */
export const binaries = (): { bin_dir?: string } => (binDir === undefined ? {} : { bin_dir: binDir })

function haproxyConfig(port: number, nodes: readonly Node[]): string {
  return `defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, network }) => `  server ${name} 127.0.0.1:${network.postgres.port} check port ${network.rest.port}`).join('\n')}
`
}

/** The role of a node as it says itself, if it answers. */
async function roleOf({ network }: Node): Promise<'primary' | 'sync' | 'replica' | undefined> {
  const said = await fetch(`http://127.0.0.1:${network.rest.port}/patroni`, { signal: AbortSignal.timeout(2_000) })
    .then((answer) => answer.json() as Promise<{ state?: string; role?: string; sync_standby?: boolean }>)
    .catch(() => undefined)
  if (said?.state !== 'running') return undefined
  if (said.role === 'master' || said.role === 'primary') return 'primary'
  return said.sync_standby === true ? 'sync' : 'replica'
}

/** The processes of a node: Patroni, the database, and all that these have started. */
async function processesOf(node: Node): Promise<number[]> {
  const postmaster = Number(
    (await readFile(join(node.folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
  )
  const roots = [node.patroni?.pid, postmaster].filter((pid): pid is number => pid !== undefined && pid > 0)
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined)
    const parent = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const found = roots.filter((pid) => parents.has(pid))
  for (const pid of found)
    for (const [child, parent] of parents) if (parent === pid && !found.includes(child)) found.push(child)
  return found
}

function signal(processes: readonly number[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name)
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** The account that runs PostgreSQL where this process is root. */
export async function accountOfPostgres(): Promise<Owner | undefined> {
  const [version] = (await readdir('/usr/lib/postgresql').catch(() => [])).sort(
    (one, other) => Number(other) - Number(one),
  )
  if (version !== undefined) binDir = `/usr/lib/postgresql/${version}/bin`
  if (process.getuid?.() !== 0) return undefined
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((each) => each.startsWith('postgres:'))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error('There is no account postgres.')
  return { uid: Number(uid), gid: Number(gid) }
}

function startTool(program: string, args: string[]): ChildProcess {
  return spawn(program, args, { stdio: 'ignore' })
}

/** Waits at most ten minutes: a node may have to be copied anew, on a machine that does other work. */
export async function until(holds: () => Promise<boolean>, words: string): Promise<void> {
  const end = performance.now() + 600_000
  while (performance.now() < end) {
    if (await holds()) return
    await wait(250)
  }
  throw new Error(`It did not come about that ${words}.`)
}
