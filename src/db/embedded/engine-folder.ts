// The default export: a test puts a disk of its own under these functions, where the engine finds them too.
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Init = NodeFS['init']
type Engine = NonNullable<Parameters<Init>[1]['preRun']>[number] extends (engine: infer E) => void ? E : never

/** A file or folder of the engine. */
interface Node {
  mode: number
}

/** The part of Emscripten's file system over Node's that is used here; the engine's types leave it open. */
interface NodeFiles {
  realPath(node: Node): string
  /** Turns an error of Node's into one that the engine understands. */
  tryFSOperation<T>(work: () => T): T
  node_ops: {
    mknod(parent: Node, name: string, mode: number, device: number): Node
    rename(node: Node, parent: Node, name: string): void
    rmdir(parent: Node, name: string): void
  }
  stream_ops: {
    fsync?: (stream: { nfd: number; node: Node }) => number
  }
}

/** The engine has ended itself: what it cannot write down it must not go on with. Only another process can open it anew. */
export class EngineStoppedError extends Error {
  constructor(options?: ErrorOptions) {
    super('The embedded database has stopped, because its files could not be written: is the disk full?', options)
    this.name = 'EngineStoppedError'
  }
}

/**
 * The folder of the embedded engine. With `sync` a sync reaches the disk, as does the name of a synced file, which POSIX alone
 * does not promise; without it every sync is taken for done.
 *
 * An engine that gives up (PostgreSQL's PANIC) rejects the call under way and all that follow. By itself it would take the call
 * for a success, and never return from the next one.
 */
export class EngineFolder extends NodeFS {
  /** Resolves when the engine has given up. */
  readonly stopped: Promise<EngineStoppedError>
  readonly #stop: (error: EngineStoppedError) => void
  readonly #sync: boolean

  constructor(folder: string, { sync }: { sync: boolean }) {
    super(folder)
    this.#sync = sync
    const { promise, resolve } = Promise.withResolvers<EngineStoppedError>()
    this.stopped = promise
    this.#stop = resolve
  }

  override init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const prepare = (engine: Engine): void => {
      if (this.#sync) makeSyncsReal(engine.NODEFS)
      engine.onAbort = () => {
        const error = new EngineStoppedError()
        this.#stop(error)
        leaveCall(engine, error)
        pg.execProtocolRawSync = () => {
          throw error
        }
      }
    }
    return super.init(pg, { ...options, preRun: [...(options.preRun ?? []), prepare] })
  }
}

/** The engine looks for more to do after a call, whatever became of it, and says at last that it is ready again. */
function leaveCall(engine: Engine, error: EngineStoppedError): void {
  Object.assign(engine, {
    _pq_buffer_remaining_data: () => 0,
    _PostgresSendReadyForQueryIfNecessary() {
      throw error
    },
  })
}

function makeSyncsReal(files: NodeFiles): void {
  const { node_ops: names, stream_ops: streams } = files
  /** Folders in which names were made or moved since they were last synced. */
  const changed = new Set<string>()
  const { mknod, rename, rmdir } = names

  names.mknod = (parent, name, mode, device) => {
    const node = mknod(parent, name, mode, device)
    changed.add(files.realPath(parent))
    return node
  }
  names.rename = (node, parent, name) => {
    const from = dirname(files.realPath(node))
    rename(node, parent, name)
    changed.add(from).add(files.realPath(parent))
  }
  names.rmdir = (parent, name) => {
    rmdir(parent, name)
    changed.delete(join(files.realPath(parent), name))
  }
  streams.fsync = ({ nfd, node }) =>
    files.tryFSOperation(() => {
      fs.fsyncSync(nfd)
      const path = files.realPath(node)
      changed.delete(path)
      for (let folder = dirname(path); changed.has(folder); folder = dirname(folder)) {
        syncPath(folder)
        changed.delete(folder)
      }
      return 0
    })
}

/** Waits until this file, or the names in this folder, are on the disk. */
export function syncPath(path: string): void {
  const file = fs.openSync(path, 'r')
  try {
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** The same for a folder and everything in it, from the bottom up. */
export function syncTree(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else if (entry.isFile()) syncPath(path)
  }
  syncPath(folder)
}
