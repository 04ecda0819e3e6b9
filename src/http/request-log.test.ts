import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { Log } from '../platform/log.ts'
import { RequestLog } from './request-log.ts'
import { Traffic } from './traffic.ts'

function open(isDetailed = false) {
  const lines: Record<string, unknown>[] = []
  const write = (line: Record<string, unknown>): void => void lines.push(line)
  const log = {
    info: write,
    warn: write,
    error: write,
    debug: write,
    isLevelEnabled: (level: string) => isDetailed || level !== 'debug',
  }
  const requests = new RequestLog(() => log as unknown as Log, new Traffic())
  const ask = (status: number, pattern = '*'): void => {
    const response = Object.assign(new EventEmitter(), { statusCode: status })
    requests.watch({ method: 'GET' } as IncomingMessage, response as unknown as ServerResponse, 'id', () => pattern)
    response.emit('close')
  }
  return { lines, ask, requests }
}

test('refused requests have so many lines a minute, and one line tells of all others', () => {
  const { lines, ask, requests } = open()
  for (let i = 0; i < 5_000; i += 1) ask(404)
  for (let i = 0; i < 100; i += 1) ask(422, '/auth/register')
  expect(lines).toHaveLength(60)
  // A failed request has its line under any load.
  ask(500)
  expect(lines).toHaveLength(61)
  requests.flush()
  expect(lines.at(-1)).toEqual({ refused: { '404 *': 4_940, '422 /auth/register': 100 } })
})

test('each minute begins with lines again', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const { lines, ask } = open()
    for (let i = 0; i < 100; i += 1) ask(404)
    vi.advanceTimersByTime(60_000)
    expect(lines).toHaveLength(61)
    ask(404)
    expect(lines).toHaveLength(62)
  } finally {
    vi.useRealTimers()
  }
})

test('at level debug every request has its line', () => {
  const { lines, ask } = open(true)
  for (let i = 0; i < 500; i += 1) ask(404)
  expect(lines).toHaveLength(500)
})

test('connections that there was no room for are told once a minute, with their number', () => {
  const { lines, requests } = open()
  for (let i = 0; i < 300; i += 1) requests.connectionRefused()
  expect(lines).toHaveLength(0)
  requests.flush()
  expect(lines).toEqual([{ refused: { connections: 300 } }])
})
