import { expect, test, vi } from 'vitest'
import { WebhookSignatures } from './webhook-signatures.server.ts'

test('ten wrong signatures in a row are an alarm, but not within a day after a right one', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const raised: string[] = []
  const signatures = new WebhookSignatures({ raise: ({ name }) => void raised.push(name) })
  const refuse = (times: number): void => {
    for (let time = 0; time < times; time += 1) signatures.refused('mail')
  }
  refuse(9)
  expect(raised).toEqual([])
  refuse(1)
  expect(raised).toEqual(['webhook mail'])
  signatures.accepted('mail')
  refuse(20)
  expect(raised).toHaveLength(1)
  vi.advanceTimersByTime(86_400_000)
  refuse(1)
  expect(raised).toHaveLength(2)
  expect(signatures.refusals).toEqual({ mail: 31, stripe: 0 })
  vi.useRealTimers()
})
