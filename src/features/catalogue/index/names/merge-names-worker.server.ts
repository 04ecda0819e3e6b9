import { parentPort, workerData } from 'node:worker_threads'
import { mergeSegments, type SegmentColumns } from './name-segment.server.ts'

const { segments, homes } = workerData as { segments: { id: number; columns: SegmentColumns }[]; homes: Uint8Array }
// A thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(mergeSegments(segments, (no, id) => homes[no] === id))
