import { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { commonHeaders, headText, openReadyHeads } from './ready-heads.ts'

const usual = { keepAliveTimeout: 10_000, maxRequestsPerSocket: 0 }

afterEach(() => vi.restoreAllMocks())

describe('ready heads', () => {
  it('are lines as they go over the wire', () => {
    expect(headText(200, ['etag', 'W/"1"', 'vary', 'accept-encoding'])).toBe(
      'HTTP/1.1 200 OK\r\netag: W/"1"\r\nvary: accept-encoding\r\n',
    )
    expect(commonHeaders(['x-one', '1']).text).toBe('x-one: 1\r\nx-request-id: ')
  })

  it('are used where Node sends with them what it sends by itself', async () => {
    expect(await openReadyHeads(usual)).toBeDefined()
  })

  it('are not used on a server that adds to its heads what they do not know', async () => {
    expect(await openReadyHeads({ ...usual, maxRequestsPerSocket: 100 })).toBeUndefined()
  })

  it('are not used by a Node that writes another head', async () => {
    const { writeHead } = ServerResponse.prototype
    vi.spyOn(ServerResponse.prototype, 'writeHead').mockImplementation(function other(
      this: ServerResponse,
      ...given: unknown[]
    ) {
      this.setHeader('x-new', 'of a later Node')
      return Reflect.apply(writeHead, this, given) as ServerResponse
    })
    expect(await openReadyHeads(usual)).toBeUndefined()
  })

  it('are not used by a Node that keeps its head elsewhere', async () => {
    const { end } = ServerResponse.prototype
    vi.spyOn(ServerResponse.prototype, 'end').mockImplementation(function other(
      this: ServerResponse,
      ...given: unknown[]
    ) {
      // Code that ignores the field writes a head of its own.
      if (this.getHeaderNames().length === 0 && this.statusMessage === undefined) Object.assign(this, { _header: null })
      return Reflect.apply(end, this, given) as ServerResponse
    })
    expect(await openReadyHeads(usual)).toBeUndefined()
  })
})
