import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const node = join(root, 'node_modules/node/bin/node')

/** A process of its own, and all that it has said so far. */
export interface Started {
  child: ChildProcess
  /** Standard output and standard error, as they came. */
  output: () => string
  out: () => string
  err: () => string
  /** Resolves with the exit code, or the name of the signal that ended it, when all of its output is there. */
  ended: Promise<number | string | null>
  /** Waits until it says these words. @returns what the first group of them is; fails when it ends without them */
  said(words: RegExp): Promise<string>
}

/**
 * Half of what a start costs is spent on reading our own code and the engine's. The compiled code is kept from one process
 * to the next, and the engine's is compiled once, quickly, and never again for speed.
 */
const quickly = {
  flags: ['--liftoff-only'],
  env: { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'daybook-test-code') },
}

/**
 * Starts a script without the test's own environment, as an operator starts it.
 * @param options.input its standard input, which ends then; undefined leaves it open for the test
 * @param options.detached makes it the first of a process group, as a terminal does
 * @param options.cwd its working folder; by default the repository
 * @param options.maxDescriptors how many files and sockets it may have open
 */
export function startProcess(
  [script, ...args]: [string, ...string[]],
  env: Record<string, string>,
  { maxDescriptors, ...options }: ProgramOptions & { maxDescriptors?: number } = { input: '' },
): Started {
  const whole: [string, ...string[]] = [node, ...quickly.flags, script, ...args]
  const limited: [string, ...string[]] = ['sh', '-c', `ulimit -n ${maxDescriptors}; exec "$0" "$@"`, ...whole]
  return startProgram(maxDescriptors === undefined ? whole : limited, env, options)
}

/** Starts the program that the build makes, as `npm start` does: without words it serves, with words it is that command. */
export function startDaybook(
  words: string[],
  env: Record<string, string>,
  options?: Parameters<typeof startProcess>[2],
): Started {
  return startProcess(['build/server/daybook.js', ...words], env, options)
}

interface ProgramOptions {
  input: string | undefined
  detached?: boolean
  cwd?: string
}

/** The same with any program. */
export function startProgram(
  [program, ...words]: [string, ...string[]],
  env: Record<string, string>,
  { input, detached = false, cwd = root }: ProgramOptions,
): Started {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, words, {
    cwd,
    env: { PATH, HOME, ...quickly.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached,
  })
  // A child that exits without reading it is recognised by its exit.
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  let [all, out, err] = ['', '', '']
  const heard = new Set<() => void>()
  const hear = (text: string): void => {
    all += text
    for (const look of heard) look()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    hear(text)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    hear(text)
  })
  const ended = new Promise<number | string | null>((done) =>
    child.once('close', (code, signal) => done(code ?? signal)),
  )
  return {
    child,
    output: () => all,
    out: () => out,
    err: () => err,
    ended,
    async said(words) {
      const { promise, resolve: found, reject: missed } = Promise.withResolvers<string>()
      const look = (): void => {
        const [, group = ''] = words.exec(all) ?? [undefined]
        if (words.test(all)) found(group)
      }
      const tooLong = setTimeout(() => missed(new Error(`It did not say ${words} in time:\n${all}`)), sayWithinMs)
      heard.add(look)
      look()
      void ended.then((how) => missed(new Error(`It ended with ${how} and did not say ${words}:\n${all}`)))
      try {
        return await promise
      } finally {
        clearTimeout(tooLong)
        heard.delete(look)
      }
    },
  }
}

/** For what hangs, not for what is slow. */
const sayWithinMs = 90_000

/** The address of a site that has started. */
export async function addressOf(site: Started): Promise<string> {
  return (await site.said(/open at (http:\S+)\s/)).replace('localhost', '127.0.0.1')
}

/** Ends a process at once, if it has not ended. */
export async function kill({ child, ended }: Started): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await ended
}
