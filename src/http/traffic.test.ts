import { expect, test } from 'vitest'
import { CachedResponse } from './cache/cached-response.ts'
import { Traffic } from './traffic.ts'

const line = (traffic: Traffic, suffix: string, labels: Record<string, unknown>) =>
  traffic
    .samples('t')
    .filter(
      ({ metricName, labels: found }) =>
        metricName === `t_${suffix}` && Object.entries(labels).every(([key, value]) => found?.[key] === value),
    )
    .map(({ value }) => value)

test('a request is counted under its method, pattern and status, in every bucket that it fits', () => {
  const traffic = new Traffic()
  traffic.observe('GET', '/western', 200, 0.004)
  traffic.observe('GET', '/western', 200, 0.3)
  traffic.observe('GET', '/western', 200, 60)
  expect(line(traffic, 'bucket', { route: '/western' })).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 2, 3])
  expect(line(traffic, 'count', { method: 'GET', route: '/western', status: '200' })).toEqual([3])
  expect(line(traffic, 'sum', { route: '/western' })[0]).toBeCloseTo(60.304)
})

test('callers can make up no label', () => {
  const traffic = new Traffic()
  for (const method of ['PROPFIND', 'LINK', 'PURGE']) traffic.observe(method, '*', 405, 0)
  traffic.observe('GET', '*', undefined, 0)
  expect(line(traffic, 'count', { method: 'other' })).toEqual([3])
  expect(line(traffic, 'count', { status: 'closed' })).toEqual([1])
})

test('finished answers are counted by a number, and each once', () => {
  const traffic = new Traffic()
  const answer = new CachedResponse(200, 'text/html', Buffer.from('x'))
  let asked = 0
  const send = (status: number): void => traffic.finished(answer, status, () => `/${(asked += 1)}`)
  send(200)
  send(304)
  send(200)
  expect(asked).toBe(1)
  for (const _ of [1, 2]) {
    expect(line(traffic, 'count', { status: '200' })).toEqual([2])
    expect(line(traffic, 'count', { status: '304' })).toEqual([1])
  }
  send(200)
  expect(line(traffic, 'count', { status: '200' })).toEqual([3])
})
