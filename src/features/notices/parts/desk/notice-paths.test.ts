import { expect, test } from 'vitest'
import { casePath, noticePath, queuePath, readWanted, sameNetworkPath, searchOfNotices } from './notice-paths.ts'

test('what the queue shows stands in its address, and nonsense in it is none', () => {
  expect(readWanted('')).toEqual({ state: 'open', kind: '', search: '', network: '', assigned: 'all' })
  expect(readWanted('?state=never&kind=gossip&search=%20')).toEqual({
    state: 'open',
    kind: '',
    search: '',
    network: '',
    assigned: 'all',
  })
  const wanted = {
    state: 'closed',
    kind: 'intimate-image',
    search: 'Ada & Bob',
    network: 'N-4GT7-0KQ2',
    assigned: 'mine',
  } as const
  expect(readWanted(`?${searchOfNotices(wanted)}`)).toEqual(wanted)
  expect(queuePath(wanted)).toBe(
    '/api/notices?state=closed&kind=intimate-image&search=Ada+%26+Bob&network=N-4GT7-0KQ2&assigned=mine',
  )
  expect(queuePath(readWanted(''))).toBe('/api/notices')
})

test('a reference out of an address leads nowhere else', () => {
  expect(noticePath('N-0000-0000', 'decision')).toBe('/api/notices/N-0000-0000/decision')
  expect(noticePath('../people')).toBe('/api/notices/..%2Fpeople')
  expect(sameNetworkPath('N-1&state=x')).toBe('/admin/notices?network=N-1%26state%3Dx')
  expect(casePath('a/b')).toBe('/admin/notices/a%2Fb')
})
