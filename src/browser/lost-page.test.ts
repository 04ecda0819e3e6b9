import type { DataStrategyResult } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepOpenPage, loadRouteModule, readLoss, setLoss } from './lost-page.ts'

const nextTurn = () => new Promise((resolve) => setTimeout(resolve, 20))

/** The result of a promise by now. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  return Promise.race([promise, nextTurn().then(() => 'under way')])
}

beforeEach(() => setLoss(undefined))
afterEach(() => vi.unstubAllGlobals())

describe('loadRouteModule', () => {
  const missing = { id: 'detail', module: 'data:text/javascript,throw%20new%20TypeError()' }

  it('brings a script once, and keeps it', async () => {
    const loaded: Record<string, unknown> = {}
    const route = { id: 'plans', module: 'data:text/javascript,export%20const%20name="plans"' }
    expect(await loadRouteModule(route, loaded)).toMatchObject({ name: 'plans' })
    expect(loaded['plans']).toMatchObject({ name: 'plans' })
    expect(await loadRouteModule({ ...route, module: missing.module }, loaded)).toBe(loaded['plans'])
    expect(readLoss()).toBeUndefined()
  })

  it.each([
    ['the network is away', () => Promise.reject(new TypeError('Failed to fetch')), 'away'],
    ['the server is away', () => Promise.resolve(new Response(null, { status: 502 })), 'away'],
    ['the server no longer has it', () => Promise.resolve(new Response(null, { status: 404 })), 'gone'],
  ])('waits when %s, and asks again when things begin anew', async (_, answer, loss) => {
    vi.stubGlobal('fetch', vi.fn(answer))
    const loaded: Record<string, unknown> = {}
    const loading = loadRouteModule(missing, loaded)
    expect(await stateOf(loading)).toBe('under way')
    expect(readLoss()).toBe(loss)
    loaded['detail'] = 'It has come by another way.'
    setLoss(undefined)
    expect(await stateOf(loading)).toBe('It has come by another way.')
  })
})

describe('keepOpenPage', () => {
  const pass = (result: unknown, type: DataStrategyResult['type'], signal = new AbortController().signal) => {
    const args = { request: { signal } } as Parameters<typeof keepOpenPage>[0]
    return stateOf(Promise.resolve(keepOpenPage(args, async () => ({ detail: { type, result } }))))
  }
  const statusOf = (status: number) => ({ status, statusText: '', data: '', internal: false })

  it.each([
    new TypeError('Failed to fetch'),
    new Error('Unable to decode turbo-stream response', { cause: new Error('cut') }),
    statusOf(502),
    statusOf(503),
    statusOf(504),
  ])('leaves a navigation under way that met %o', async (error) => {
    expect(await pass(error, 'error')).toBe('under way')
    expect(readLoss()).toBe('away')
  })

  it.each([new Error('Unexpected Server Error'), statusOf(404), statusOf(500)])(
    'lets the error page tell of %o',
    async (error) => {
      expect(await pass(error, 'error')).toEqual({ detail: { type: 'error', result: error } })
      expect(readLoss()).toBeUndefined()
    },
  )

  it('lets data pass, whatever it says of itself', async () => {
    expect(await pass(statusOf(503), 'data')).toEqual({ detail: { type: 'data', result: statusOf(503) } })
  })

  it('says nothing of a navigation that another one has superseded', async () => {
    const superseded = new AbortController()
    superseded.abort()
    expect(await pass(new TypeError('Failed to fetch'), 'error', superseded.signal)).not.toBe('under way')
    expect(readLoss()).toBeUndefined()
  })
})
