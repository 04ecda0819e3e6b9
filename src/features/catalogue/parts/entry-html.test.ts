import { describe, expect, it } from 'vitest'
import type { ItemRow } from '../listing.ts'
import { dayHtml, entriesHtml } from './entry-html.ts'

const row = (part: Partial<ItemRow> = {}): ItemRow => ({
  name: 'Moby-Dick — Melville',
  slug: 'moby-dick-melville',
  category: 'Literature',
  contentType: 'western',
  day: '2024-03-05',
  ...part,
})

describe('entriesHtml', () => {
  it('writes an entry as one link with its type, its name and its category', () => {
    expect(entriesHtml([row()], 0)).toBe(
      '<li><a class="western" href="/western/moby-dick-melville"><span>Moby-Dick — Melville</span>' +
        '<i>Western</i><small>Literature</small></a></li>',
    )
  })

  it.each([
    `</span><script>alert(1)</script>`,
    `"onmouseover="alert(1)`,
    `'><img src=x onerror=alert(1)>`,
    `&lt;b&gt; & <b>`,
    `<!--`,
  ])('lets nothing in %j become markup', (text) => {
    const html = entriesHtml([row({ name: `${text} ${'x'.repeat(40)}`, category: text, slug: text })], 1)
    // Take out what an entry consists of; what remains may hold no character that begins or ends markup.
    const known = /<\/?(li|a|span|b|i|small)(?: (?:class|href|title)="[^"<>]*")*>/g
    const rest = html.replace(known, '')
    expect(rest).not.toMatch(/[<>"']/)
    expect(html.match(known)).toHaveLength(12)
    expect(rest).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
  })

  it('marks as many as are new, from the top', () => {
    const html = entriesHtml([row(), row(), row()], 2)
    expect(html.match(/<b>NEW<\/b>/g)).toHaveLength(2)
    expect(html.split('<li>')[3]).not.toContain('NEW')
  })

  it('says the language and direction of other scripts, and gives a long name in full', () => {
    expect(entriesHtml([row({ name: '紅樓夢' })], 0)).toContain('<span lang="zh">紅樓夢</span>')
    expect(entriesHtml([row({ name: 'كليلة ودمنة' })], 0)).toContain('<span lang="ar" dir="rtl">')
    const long = 'A name that is longer than forty characters'
    expect(entriesHtml([row({ name: long })], 0)).toContain(`title="${long}"`)
  })

  it('leads an item where it belongs, and names VIP types as one', () => {
    expect(entriesHtml([row({ contentType: 'asian', category: 'Banned' })], 0)).toContain('href="/banned/moby')
    expect(entriesHtml([row({ contentType: 'vip-asian' })], 0)).toContain('<a class="vip" href="/vip-asian/moby')
  })
})

it('a day is its date and its entries, and one without a date says so', () => {
  const entries = entriesHtml([row()], 0)
  expect(dayHtml({ day: '2024-03-05', rows: [row()] }, 0)).toBe(
    `<h2>March <b>05</b><i>, </i>2024</h2><ul>${entries}</ul>`,
  )
  expect(dayHtml({ day: '', rows: [row()] }, 0)).toBe(`<h2>Invalid Date</h2><ul>${entries}</ul>`)
})
