import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** The part of unsynced writes that is on the disk after a power cut. */
export type Cut =
  /** Nothing: no byte, no name, no removal. */
  | 'nothing'
  /** Every name, and no content: new files are there and empty, grown ones have their old length. */
  | 'names'
  /** Names up to some moment, and any of the blocks in any order: a page may be half new and half old. */
  | 'some'

interface Inode {
  isFolder: boolean
}

/** The events of the disk, in turn. */
type Step = Write | { kind: 'sync'; node: Inode } | { kind: 'note'; text: string }
type Change = Write & { turn: number }
type Write =
  | { kind: 'name'; folder: Inode; name: string; node: Inode | undefined }
  | { kind: 'write'; node: Inode; at: number; data: Uint8Array | number }
  | { kind: 'resize'; node: Inode; size: number }

const blockBytes = 4_096
const zeros = Buffer.alloc(1024 * 1024)

/**
 * A disk that forgets unsynced writes. It lies under Node's synchronous file functions, and so under the embedded
 * engine: it records every write, name and sync below `root`, and can produce the state after a power cut at any
 * moment. As in POSIX, syncing a file saves its content; syncing its folder saves its name.
 */
export class ForgetfulDisk {
  readonly steps: Step[] = []
  readonly #root: string
  readonly #top: Inode = { isFolder: true }
  readonly #children = new Map<Inode, Map<string, Inode>>([[this.#top, new Map()]])
  readonly #open = new Map<number, Inode>()
  #originals: Partial<typeof fs> = {}

  constructor(root: string) {
    this.#root = root
    this.#record()
  }

  /** Remembers this moment under a name. */
  note(text: string): void {
    this.steps.push({ kind: 'note', text })
  }

  /** Lets Node's functions be as they were. */
  release(): void {
    Object.assign(fs, this.#originals)
    syncBuiltinESMExports()
  }

  /** @throws when the record is not what really lies below `root`: then something was written behind its back */
  check(isKnown: (path: string) => boolean): void {
    const image = new Image(this.#top)
    for (const step of this.steps) image.take(step)
    image.settle()
    const expected = image.files()
    const found = fs
      .readdirSync(this.#root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.#root, join(entry.parentPath, entry.name)))
      .filter(isKnown)
    const known = [...expected.keys()].filter(isKnown)
    if (known.sort().join('\n') !== found.sort().join('\n')) throw new Error('There are other files than recorded.')
    for (const path of found) {
      if (!fs.readFileSync(join(this.#root, path)).equals(expected.get(path) as Uint8Array)) {
        throw new Error(`The file ${path} has another content than recorded.`)
      }
    }
  }

  /**
   * The disks after power cuts behind some steps, each in a folder of its own.
   * @param cuts `after` counts steps, and rises
   */
  *cutAfter(cuts: { after: number; cut: Cut }[], folderOf: (place: number) => string): Generator<string> {
    const image = new Image(this.#top)
    let done = 0
    for (const [place, { after, cut }] of cuts.entries()) {
      for (; done < after; done += 1) image.take(this.steps[done] as Step)
      const folder = folderOf(place)
      image.leave(folder, cut, after)
      yield folder
    }
  }

  #record(): void {
    const real = { ...fs }
    const record = (names: Partial<typeof fs>): void => {
      this.#originals = Object.fromEntries(Object.keys(names).map((name) => [name, real[name as keyof typeof fs]]))
      Object.assign(fs, names)
    }

    record({
      openSync: (path, flags, mode) => {
        const existed = this.#isOwn(path) && fs.existsSync(path)
        const fd = real.openSync(path, flags, mode)
        if (!this.#isOwn(path)) return fd
        if (!existed) this.#name(path, { isFolder: false })
        const node = this.#find(path)
        if (node === undefined) return fd
        const truncates = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : flags === 'w'
        if (truncates) this.steps.push({ kind: 'resize', node, size: 0 })
        this.#open.set(fd, node)
        return fd
      },
      closeSync: (fd) => {
        this.#open.delete(fd)
        real.closeSync(fd)
      },
      writeSync: ((fd: number, buffer: NodeJS.ArrayBufferView, offset: number, length: number, position: number) => {
        const written = real.writeSync(fd, buffer, offset, length, position)
        const node = this.#open.get(fd)
        if (node !== undefined) {
          if (typeof position !== 'number') throw new Error('A write without a place is not foreseen.')
          this.#write(node, position, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, written))
        }
        return written
      }) as typeof fs.writeSync,
      writeFileSync: (path, data, options) => {
        real.writeFileSync(path, data, options)
        if (!this.#isOwn(path)) return
        if (this.#find(path) === undefined) this.#name(path, { isFolder: false })
        const node = this.#find(path) as Inode
        this.steps.push({ kind: 'resize', node, size: 0 })
        this.#write(node, 0, Buffer.from(data as string))
      },
      ftruncateSync: (fd, size) => {
        real.ftruncateSync(fd, size)
        const node = this.#open.get(fd)
        if (node !== undefined) this.steps.push({ kind: 'resize', node, size: size ?? 0 })
      },
      truncateSync: (path, size) => {
        real.truncateSync(path, size)
        const node = this.#isOwn(path) ? this.#find(path) : undefined
        if (node !== undefined) this.steps.push({ kind: 'resize', node, size: size ?? 0 })
      },
      mkdirSync: ((path: string, options: fs.MakeDirectoryOptions) => {
        const first = real.mkdirSync(path, options)
        if (this.#isOwn(path) && this.#find(path) === undefined) this.#name(path, { isFolder: true })
        return first
      }) as typeof fs.mkdirSync,
      renameSync: (from, to) => {
        real.renameSync(from, to)
        if (!this.#isOwn(from)) return
        const node = this.#find(from)
        this.#name(from, undefined)
        this.#name(to, node)
      },
      unlinkSync: (path) => {
        real.unlinkSync(path)
        if (this.#isOwn(path)) this.#name(path, undefined)
      },
      rmdirSync: (path) => {
        real.rmdirSync(path)
        if (this.#isOwn(path)) this.#name(path, undefined)
      },
      rmSync: (path, options) => {
        real.rmSync(path, options)
        if (this.#isOwn(path) && this.#find(path) !== undefined) this.#name(path, undefined)
      },
      fsyncSync: (fd) => {
        real.fsyncSync(fd)
        const node = this.#open.get(fd)
        if (node !== undefined) this.steps.push({ kind: 'sync', node })
      },
    })
    syncBuiltinESMExports()
  }

  #isOwn(path: unknown): path is string {
    return typeof path === 'string' && (path === this.#root || path.startsWith(`${this.#root}/`))
  }

  #find(path: string): Inode | undefined {
    if (path === this.#root) return this.#top
    const folder = this.#find(dirname(path))
    return folder === undefined ? undefined : this.#children.get(folder)?.get(basename(path))
  }

  #name(path: unknown, node: Inode | undefined): void {
    const folder = this.#find(dirname(path as string))
    if (folder === undefined) throw new Error(`The folder of ${String(path)} was never made.`)
    const name = basename(path as string)
    if (node?.isFolder === true && !this.#children.has(node)) this.#children.set(node, new Map())
    if (node === undefined) this.#children.get(folder)?.delete(name)
    else this.#children.get(folder)?.set(name, node)
    this.steps.push({ kind: 'name', folder, name, node })
  }

  /** A new segment of the log is 16 MB of zeros: their number is enough. */
  #write(node: Inode, at: number, data: Uint8Array): void {
    const isEmpty = data.length <= zeros.length && zeros.subarray(0, data.length).equals(data)
    this.steps.push({ kind: 'write', node, at, data: isEmpty ? data.length : Uint8Array.from(data) })
  }
}

/** The certain content of the disk, and the pending one. */
class Image {
  readonly #top: Inode
  readonly #contents = new Map<Inode, Content>()
  readonly #names = new Map<Inode, Map<string, Inode>>()
  /** By the file or folder that has to be synced for it. */
  readonly #pending = new Map<Inode, Change[]>()
  #taken = 0

  constructor(top: Inode) {
    this.#top = top
  }

  take(step: Step): void {
    this.#taken += 1
    if (step.kind === 'note') return
    if (step.kind === 'sync') {
      for (const change of this.#pending.get(step.node) ?? []) apply(change, this.#contents, this.#names)
      this.#pending.delete(step.node)
      return
    }
    const subject = step.kind === 'name' ? step.folder : step.node
    const changes = this.#pending.get(subject) ?? []
    changes.push({ ...step, turn: this.#taken })
    this.#pending.set(subject, changes)
  }

  settle(): void {
    for (const change of this.#unsynced()) apply(change, this.#contents, this.#names)
    this.#pending.clear()
  }

  files(): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>()
    const walk = (node: Inode, path: string): void => {
      for (const [name, child] of this.#names.get(node) ?? []) {
        if (child.isFolder) walk(child, join(path, name))
        else files.set(join(path, name), this.#contents.get(child)?.bytes ?? new Uint8Array(0))
      }
    }
    walk(this.#top, '')
    return files
  }

  #unsynced(): Change[] {
    return [...this.#pending.values()].flat().sort((a, b) => a.turn - b.turn)
  }

  leave(folder: string, cut: Cut, seed: number): void {
    const random = randomFrom(seed)
    const contents = new Map(this.#contents)
    const names = new Map([...this.#names].map(([node, children]) => [node, new Map(children)]))
    const unsynced = this.#unsynced()
    const named = unsynced.filter(({ kind }) => kind === 'name')
    const surviving = cut === 'nothing' ? 0 : cut === 'names' ? named.length : Math.floor(random() * (named.length + 1))
    for (const step of named.slice(0, surviving)) apply(step, contents, names)
    if (cut === 'some') {
      const copied = new Set<Inode>()
      for (const step of unsynced) {
        if (step.kind === 'name') continue
        const certain = contents.get(step.node)
        // A pending write must not touch the certain content.
        if (certain !== undefined && !copied.has(step.node)) contents.set(step.node, certain.copy())
        copied.add(step.node)
        for (const block of blocksOf(step)) if (random() < 0.5) apply(block, contents, names)
      }
    }
    const write = (node: Inode, path: string): void => {
      fs.mkdirSync(path, { mode: 0o700 })
      for (const [name, child] of names.get(node) ?? []) {
        if (child.isFolder) write(child, join(path, name))
        else fs.writeFileSync(join(path, name), contents.get(child)?.bytes ?? '')
      }
    }
    write(this.#top, folder)
  }
}

function* blocksOf(step: Change): Generator<Change> {
  if (step.kind !== 'write') {
    yield step
    return
  }
  const { at, data } = step
  const length = typeof data === 'number' ? data : data.length
  for (let from = 0; from < length;) {
    const to = Math.min(length, from + blockBytes - ((at + from) % blockBytes))
    yield { ...step, at: at + from, data: typeof data === 'number' ? to - from : data.subarray(from, to) }
    from = to
  }
}

function apply(step: Change, contents: Map<Inode, Content>, names: Map<Inode, Map<string, Inode>>): void {
  if (step.kind === 'name') {
    const children = names.get(step.folder) ?? new Map<string, Inode>()
    names.set(step.folder, children)
    if (step.node === undefined) children.delete(step.name)
    else children.set(step.name, step.node)
  } else {
    const content = contents.get(step.node) ?? new Content()
    contents.set(step.node, content)
    if (step.kind === 'resize') content.resize(step.size)
    else content.write(step.at, step.data)
  }
}

/** Bytes that grow page by page without being copied at each of them. */
class Content {
  #room = new Uint8Array(0)
  #size = 0

  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#size)
  }

  copy(): Content {
    const copy = new Content()
    copy.write(0, this.bytes)
    return copy
  }

  resize(size: number): void {
    if (size > this.#room.length) {
      const room = new Uint8Array(Math.max(size, this.#size * 2))
      room.set(this.bytes)
      this.#room = room
    }
    if (size > this.#size) this.#room.fill(0, this.#size, size)
    this.#size = size
  }

  /** @param data a number stands for as many zeros */
  write(at: number, data: Uint8Array | number): void {
    const end = at + (typeof data === 'number' ? data : data.length)
    if (end > this.#size) this.resize(end)
    if (typeof data === 'number') this.#room.fill(0, at, end)
    else this.#room.set(data, at)
  }
}

/** The same numbers for the same seed, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
