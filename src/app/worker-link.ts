import cluster from 'node:cluster'
import type { MetricsAsJson } from '../platform/metrics/metrics.ts'

/** A worker says that it serves, asks for the metrics of the others, and gives its own. */
export type FromWorker = { serves: string } | { asks: number } | { gives: number; metrics: MetricsAsJson }
/** It is given those of the others, and wanted to give its own. */
export type ToWorker = { asked: number; metrics: readonly MetricsAsJson[] } | { wants: number }

/** Says that the site is open: on standard output, where this is no worker. */
export function sayOpen(notice: string): void {
  if (cluster.isWorker) send({ serves: notice })
  else process.stdout.write(notice)
}

/**
 * Gives the other workers what they ask for.
 * @returns how to ask them; none answers where this is no worker
 */
export function linkMetrics(own: () => Promise<MetricsAsJson>): () => Promise<readonly MetricsAsJson[]> {
  if (!cluster.isWorker) return () => Promise.resolve([])
  const asking = new Map<number, (metrics: readonly MetricsAsJson[]) => void>()
  let asked = 0
  process.on('message', (message: ToWorker) => {
    if ('wants' in message) void own().then((metrics) => send({ gives: message.wants, metrics }))
    else {
      asking.get(message.asked)?.(message.metrics)
      asking.delete(message.asked)
    }
  })
  return () => {
    asked += 1
    const { promise, resolve } = Promise.withResolvers<readonly MetricsAsJson[]>()
    asking.set(asked, resolve)
    send({ asks: asked })
    return promise
  }
}

function send(message: FromWorker): void {
  process.send?.(message)
}
