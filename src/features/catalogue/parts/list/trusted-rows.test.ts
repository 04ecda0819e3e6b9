import { describe, expect, it } from 'vitest'
import type { ItemRow } from '../../item/listing.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'
import { vipShelves } from '../../shelves/vip-shelves.ts'
import { dayHtml, entriesHtml } from './entry-html.ts'
import { assertRows, trustedRows } from './trusted-rows.ts'

const row = (part: Partial<ItemRow> = {}): ItemRow => ({
  name: 'Moby-Dick — Melville',
  slug: 'moby-dick-melville',
  category: 'Literature',
  contentType: 'western',
  day: '2024-03-05',
  ...part,
})

const names = [
  '</span><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '紅樓夢',
  'كليلة ودمنة',
  'The Works of <Somebody> in Many Books — Volume 3 — Smith & Sons',
]

describe('markup of rows', () => {
  it.each([...Object.values(freeShelves), ...Object.values(vipShelves)].map((shelf) => [shelf.path, shelf] as const))(
    'is all that the list %s writes, whatever the names are',
    (_path, { row: look }) => {
      const rows = names.map((name) =>
        row({
          name,
          category: name,
          creators: name,
          alsoKnownAs: name,
          marks: { name: [1, 4], creators: [0, 9], alsoKnownAs: [2, 3] },
        }),
      )
      for (const text of [
        entriesHtml(rows, 2, look),
        dayHtml({ day: '2024-03-05', blocks: [{ rows, before: 0 }] }, 2, look),
        dayHtml({ day: undefined, blocks: [{ rows, before: 0, isDated: true }] }, 0, look),
      ])
        expect(assertRows(text)).toBe(text)
    },
  )

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<b onclick=alert(1)>',
    '<mark onclick=alert(1)>',
    '<h2 data-day=Tue onclick=alert(1)>',
    '<a class=vip href="javascript:alert(1)">',
    '<a class=vip href="/x" onclick="alert(1)">',
    '<a class=vip href="//evil.example/x">',
    '<a class=vip href="/\\evil.example/x">',
    '<a class=vip href="/x""onclick="alert(1)">',
    '<li><svg/onload=alert(1)>',
    '<span lang=en style=color:red>',
    '<iframe src=/>',
    '<B>',
    '<!-- -->',
    '<',
  ])('is not %j', (text) => {
    expect(() => assertRows(`<li>${text}`)).toThrow(TypeError)
  })

  it('is the text itself on the server', () => {
    expect(trustedRows('<li>')).toBe('<li>')
  })
})
