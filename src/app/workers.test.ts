import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { keepWorkers } from './workers.ts'

class PlayedWorker extends EventEmitter {
  process: { pid: number | undefined } = { pid: 1 }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a message that is lost, no memory for a worker, and one that does not start leave the others alone', async () => {
  vi.useFakeTimers()
  vi.spyOn(process, 'on').mockReturnThis()
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const played: PlayedWorker[] = []
  const fork = vi.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = new PlayedWorker()
    played.push(worker)
    return worker as unknown as Worker
  })
  const open = keepWorkers({ workers: 2, logLevel: 'silent' })
  played[0]?.emit('message', { serves: '' })
  await vi.advanceTimersByTimeAsync(0)
  played[1]?.emit('message', { serves: '' })
  await open

  played[1]?.emit('error', new Error('write EPIPE'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fork).toHaveBeenCalledTimes(2)

  played[1]?.emit('exit', null, 'SIGKILL')
  fork.mockImplementationOnce(() => {
    throw new Error('spawn ENOMEM')
  })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(fork).toHaveBeenCalledTimes(3)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(played).toHaveLength(3)

  Object.assign(played[2] as PlayedWorker, { process: {} }).emit('error', new Error('spawn ENOENT'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(played).toHaveLength(4)
  expect(exit).not.toHaveBeenCalled()

  played[3]?.emit('exit', 1, null)
  played[0]?.emit('exit', 1, null)
  expect(exit).toHaveBeenCalledWith(1)
})
