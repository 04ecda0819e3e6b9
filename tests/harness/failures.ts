import { expect } from 'vitest'
import type { TestResponse } from './request.ts'

/** The members of a JSON answer. */
export function said(answer: TestResponse): Record<string, unknown> {
  return answer.json() as Record<string, unknown>
}

/**
 * The one form of a failure (docs/spec/http.md#failures): the same sentence as `error` and `message`, and nothing of
 * the inside.
 */
export function expectFailure(answer: TestResponse, status: number, sentence?: string | RegExp): void {
  expect(answer.status, answer.text).toBe(status)
  const { error, message } = said(answer)
  expect(error).toBe(message)
  if (typeof sentence === 'string') expect(message).toBe(sentence)
  else if (sentence !== undefined) expect(message).toMatch(sentence)
  expect(answer.text).not.toMatch(/select |insert |node_modules|at .*\.ts|sk_test|whsec|cus_|sub_/i)
  expect(answer.headers['cache-control']).toMatch(/^(private, )?no-store$/)
}
