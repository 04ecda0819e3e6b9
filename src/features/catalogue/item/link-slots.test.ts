import { describe, expect, it, test } from 'vitest'
import {
  countMirrors,
  type ItemHealth,
  type ItemLinks,
  linkSlots,
  type LinkSlot,
  type LinkState,
  offeredSlots,
} from './link-slots.ts'

const noLinks = Object.fromEntries(linkSlots.map((slot) => [slot, null])) as Record<LinkSlot, string | null>
const linksIn = (...slots: LinkSlot[]): ItemLinks => ({
  ...noLinks,
  ...Object.fromEntries(slots.map((slot) => [slot, `https://mega.nz/${slot}`])),
})
const healthOf = (states: Partial<Record<LinkSlot, LinkState>>, checkedAt = '2024-03-15T12:00:00.000Z'): ItemHealth =>
  Object.fromEntries(Object.entries(states).map(([slot, state]) => [slot, { state, checkedAt }]))

describe('the slot of a host that is offered', () => {
  const states = ['ok', 'suspect', 'unknown'] as const
  // Own slot, alternate, what is offered; each with A, B and C.
  const pairs: [own: LinkState | undefined, alternate: LinkState | undefined, offered: 'own' | 'alternate' | 'none'][] =
    [
      [undefined, undefined, 'none'],
      ...states.map((own): (typeof pairs)[number] => [own, undefined, 'own']),
      ...states.map((alternate): (typeof pairs)[number] => [undefined, alternate, 'alternate']),
      ...states.flatMap((own) =>
        (['ok', 'suspect', 'unknown', 'dead'] as const).map((it): (typeof pairs)[number] => [own, it, 'own']),
      ),
      ...states.map((alternate): (typeof pairs)[number] => ['dead', alternate, 'alternate']),
      ['dead', 'dead', 'own'],
      ['dead', undefined, 'own'],
      [undefined, 'dead', 'alternate'],
    ]
  test.each(pairs)('own %s, alternate %s: %s', (own, alternate, offered) => {
    for (const [host, ownSlot, alternateSlot] of [
      ['A', 'link', 'linkMV1'],
      ['B', 'linkG', 'linkMV3'],
      ['C', 'linkP', 'linkMV2'],
    ] as const) {
      const there = { ...(own && { [ownSlot]: own }), ...(alternate && { [alternateSlot]: alternate }) }
      const found = offeredSlots(linksIn(...(Object.keys(there) as LinkSlot[])), healthOf(there))
      const slot = offered === 'own' ? ownSlot : alternateSlot
      expect(found).toEqual(offered === 'none' ? [] : [{ host, slot, state: there[slot] }])
    }
  })

  it('is its own while nothing was checked, and no other slot is ever offered', () => {
    expect(offeredSlots(linksIn(...linkSlots), {})).toEqual([
      { host: 'A', slot: 'link', state: 'unknown' },
      { host: 'B', slot: 'linkG', state: 'unknown' },
      { host: 'C', slot: 'linkP', state: 'unknown' },
    ])
    expect(offeredSlots(linksIn('link2', 'linkMV4'), {})).toEqual([])
  })
})

describe('countMirrors', () => {
  it('counts what details offer, by state', () => {
    const links = linksIn(...linkSlots)
    expect(
      countMirrors(links, healthOf({ link: 'ok', linkG: 'dead', linkP: 'suspect', linkMV1: 'unknown', link2: 'dead' })),
    ).toEqual({
      total: 6,
      ok: 1,
      suspect: 1,
      dead: 1,
      unknown: 3,
      checkedAt: '2024-03-15T12:00:00.000Z',
    })
  })

  it('counts an address once, and tells the oldest of the checks', () => {
    const links = { ...linksIn('link', 'linkG'), linkP: 'https://mega.nz/link' }
    const health: ItemHealth = {
      link: { state: 'ok', checkedAt: '2024-03-15T12:00:00.000Z' },
      linkP: { state: 'ok', checkedAt: '2024-03-15T12:00:00.000Z' },
      linkG: { state: 'ok', checkedAt: '2024-03-10T12:00:00.000Z' },
    }
    expect(countMirrors(links, health)).toMatchObject({ total: 2, ok: 2, checkedAt: '2024-03-10T12:00:00.000Z' })
    expect(countMirrors(links, {})).toMatchObject({ total: 2, unknown: 2, checkedAt: null })
  })
})
