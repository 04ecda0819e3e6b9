import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../../../platform/log.ts'
import { isBuilt } from '../../../../platform/package-files.ts'
import type { Merge } from './name-index.server.ts'
import type { SegmentColumns } from './name-segment.server.ts'

/** Merges segments of names in a thread of its own: a million names take seconds. A failure is logged, and the segments stay. */
export function mergeInWorker(log: Log): Merge {
  return async (segments, homes) => {
    const script = isBuilt ? './merge-names.js' : './merge-names-worker.server.ts'
    const worker = new Worker(new URL(script, import.meta.url), { workerData: { segments, homes } })
    // A process that ends does not wait for it.
    worker.unref()
    try {
      const [columns] = (await once(worker, 'message')) as [SegmentColumns]
      return columns
    } catch (error) {
      log.error({ err: error }, 'Names in memory could not be merged.')
      return undefined
    } finally {
      await worker.terminate()
    }
  }
}
