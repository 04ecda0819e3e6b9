import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HostTurns } from './host-turns.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('HostTurns', () => {
  const never = new AbortController().signal

  it('keeps the beginnings of two requests to one host apart, and lets other hosts begin at once', async () => {
    const turns = new HostTurns(1_000)
    const begun: string[] = []
    const ask = (host: string) => turns.enter(host, never).then(() => begun.push(host))
    const asked = Promise.all(['a', 'a', 'b', 'a'].map(ask))
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(999)
    expect(begun).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(['a', 'b', 'a'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(begun).toEqual(['a', 'b', 'a', 'a'])
    await asked
    // Asked long enough ago: at once.
    await vi.advanceTimersByTimeAsync(1_000)
    await ask('a')
    expect(begun).toHaveLength(5)
  })

  it('ends a wait that is called off, and lets nobody begin who was called off before', async () => {
    const turns = new HostTurns(1_000)
    const stop = new AbortController()
    await turns.enter('a', never)
    const waiting = turns.enter('a', stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(turns.enter('b', stop.signal)).rejects.toThrow('enough')
    expect(vi.getTimerCount()).toBe(0)
  })
})
