import cluster, { type Worker } from 'node:cluster'
import { outliveReaders } from '../platform/cli/standard-streams.ts'
import { SettingsReader } from '../platform/config/config.ts'
import { platformSettings } from '../platform/config/platform-config.ts'
import { readPlaces, SettingsFileError } from '../platform/config/settings-file.ts'
import { openLog } from '../platform/log.ts'
import type { MetricsAsJson } from '../platform/metrics/metrics.ts'
import type { FromWorker, ToWorker } from './worker-link.ts'

/* The process that keeps workers answers nothing itself, and loads little. */

/** Before a worker that has ended is started again. */
const againMs = 1_000
/** Longer than a worker takes to read what it can (`metrics.ts`). */
const metricsMs = 5_000

/** The settings of the process that keeps workers. A wrong one counts as unset: the site names it when it starts. */
export function readWorkerSettings(environment: NodeJS.ProcessEnv) {
  const { workers, logLevel } = platformSettings
  try {
    return new SettingsReader(readPlaces(environment)).values({ workers, logLevel })
  } catch (error) {
    if (!(error instanceof SettingsFileError)) throw error
    return { workers: workers.default, logLevel: logLevel.default }
  }
}

/**
 * Has processes answer on one port, each with the whole site. The first one starts alone, because it migrates the database. One that
 * ends is started again after a second. A signal is passed on to all of them. This process ends when the last one has, and ends them
 * when none serves, or one does not come up at the start.
 */
export async function keepWorkers({ workers, logLevel }: ReturnType<typeof readWorkerSettings>): Promise<void> {
  outliveReaders()
  const log = openLog(logLevel)
  const there = new Set<Worker>()
  const serving = new Set<Worker>()
  const awaited = new Map<number, (metrics: MetricsAsJson | undefined) => void>()
  let isOpen = false
  let isStopping = false
  let exitCode = 0
  let gathered = 0

  const stop = (signal: NodeJS.Signals): void => {
    isStopping = true
    for (const worker of there) worker.process.kill(signal)
  }

  const start = (): Promise<string> => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const worker = cluster.fork()
    there.add(worker)
    worker.on('message', (message: FromWorker) => {
      if ('asks' in message) void gather(worker, message.asks)
      else if ('gives' in message) awaited.get(message.gives)?.(message.metrics)
      else {
        serving.add(worker)
        resolve(message.serves)
      }
    })
    const ended = (reason: object, code: number | null): void => {
      there.delete(worker)
      serving.delete(worker)
      const isLost = !isOpen || serving.size === 0
      if (isStopping) exitCode ||= code ?? 0
      else if (isLost) {
        exitCode = 1
        stop('SIGTERM')
      } else {
        log.error(reason, 'A worker has ended, and is started again.')
        setTimeout(startAgain, againMs)
      }
      if (isStopping && there.size === 0) process.exit(exitCode)
    }
    worker.once('exit', (code: number | null, signal: string | null) => ended({ code, signal }, code))
    worker.on('error', (error) => {
      // A message to one that is just ending is lost: its end follows. One that could not be started has no other end.
      if (worker.process.pid === undefined) ended({ err: error }, 1)
    })
    return promise
  }

  /** Where there is no memory for one, it is tried again. */
  const startAgain = (): void => {
    if (isStopping) return
    try {
      void start()
    } catch (error) {
      log.error({ err: error }, 'A worker could not be started, and is started again.')
      setTimeout(startAgain, againMs)
    }
  }

  /** Gives a worker the metrics of those others that answer in time. */
  const gather = async (asking: Worker, asked: number): Promise<void> => {
    const others = [...serving].filter((worker) => worker !== asking)
    const metrics = await Promise.all(
      others.map((worker) => {
        gathered += 1
        const wants = gathered
        const { promise, resolve } = Promise.withResolvers<MetricsAsJson | undefined>()
        awaited.set(wants, resolve)
        setTimeout(resolve, metricsMs, undefined)
        send(worker, { wants })
        return promise.finally(() => awaited.delete(wants))
      }),
    )
    send(asking, { asked, metrics: metrics.filter((one) => one !== undefined) })
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
  const notice = await start()
  await Promise.all(Array.from({ length: workers - 1 }, start))
  isOpen = true
  process.stdout.write(notice)
}

function send(worker: Worker, message: ToWorker): void {
  // One that has just ended hears nothing.
  worker.process.send(message, undefined, undefined, () => {})
}
