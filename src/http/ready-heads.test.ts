import { describe, expect, it } from 'vitest'
import { commonHeaders, headText, openReadyHeads } from './ready-heads.ts'

describe('ready heads', () => {
  it('are lines as they go over the wire', () => {
    expect(headText(200, ['etag', 'W/"1"', 'vary', 'accept-encoding'])).toBe(
      'HTTP/1.1 200 OK\r\netag: W/"1"\r\nvary: accept-encoding\r\n',
    )
    expect(commonHeaders(['x-one', '1']).text).toBe('x-one: 1\r\nx-request-id: ')
  })

  it('are used by the Node of the site, and by no other', () => {
    expect(openReadyHeads({ keepAliveTimeout: 10_000 })).toBeDefined()
    expect(openReadyHeads({ keepAliveTimeout: 10_000 }, 'v25.1.0')).toBeUndefined()
  })
})
