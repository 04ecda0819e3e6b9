import { describe, expect, it } from 'vitest'
import type { ItemRow } from '../../item/listing.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'
import { vipShelves } from '../../shelves/vip-shelves.ts'
import { blockHtml, dayHtml, daysHtml, entriesHtml, tellingPartOf } from './entry-html.ts'

const { row: look } = freeShelves.western

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
    expect(entriesHtml([row()], 0, look)).toBe(
      '<li><a class=western href="/western/moby-dick-melville"><span>Moby-Dick — Melville</span>' +
        '<i>Western</i><small>Literature</small></a>',
    )
  })

  it.each([
    `</span><script>alert(1)</script>`,
    `"onmouseover="alert(1)`,
    `'><img src=x onerror=alert(1)>`,
    `&lt;b&gt; & <b>`,
    `<!--`,
  ])('lets nothing in %j become markup', (text) => {
    const html = entriesHtml([row({ name: `${text} ${'x'.repeat(40)}`, category: text, slug: text })], 1, look)
    // Take out what an entry consists of; what remains may hold no character that begins or ends markup.
    const known = /<\/?(li|a|span|b|i|small)(?: class=[a-z-]+)?(?: href="[^"<>]*")*>/g
    const rest = html.replace(known, '')
    expect(rest).not.toMatch(/[<>"']/)
    expect(html.match(known)).toHaveLength(13)
    expect(rest).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#39;)/)
  })

  it('names the creators behind the title', () => {
    const html = entriesHtml([row({ name: 'Faust', creators: 'Goethe; <b>' })], 0, look)
    expect(html).toContain('<span>Faust\t<small>Goethe; &lt;b&gt;</small></span>')
  })

  it('names the other titles behind the creators', () => {
    const html = entriesHtml([row({ name: 'Faust', creators: 'Goethe', alsoKnownAs: 'Urfaust; <i>' })], 0, look)
    expect(html).toContain('<span>Faust\t<small>Goethe</small>\t<em>Urfaust; &lt;i&gt;</em></span>')
    expect(entriesHtml([row({ name: 'Faust', alsoKnownAs: 'Urfaust' })], 0, look)).toContain(
      '<span>Faust\t\t<em>Urfaust</em></span>',
    )
  })

  it('marks what matched a search in every text, also across the telling part of a long name', () => {
    const marks = { name: [4, 9], creators: [0, 2, 4, 5], alsoKnownAs: [1, 3] }
    const short = row({ name: 'The <war> & peace', creators: '<a> b', alsoKnownAs: '& c', marks })
    expect(entriesHtml([short], 0, look)).toContain(
      '<span><b>The <mark>&lt;war&gt;</mark> &amp; peace</b>' +
        '\t<small><mark>&lt;a</mark>&gt; <mark>b</mark></small>\t<em>&amp;<mark> c</mark></em></span>',
    )
    const name = 'The Works of Somebody in Many Very Long Books — Volume 3'
    const start = tellingPartOf(name)
    const long = row({ name, marks: { name: [0, 3, start - 5, start + 9] } })
    expect(entriesHtml([long], 0, look)).toContain(
      '<i><mark>The</mark> Works of Somebody in Many Very Long <mark>Books</mark></i><b><mark> — Volume</mark> 3</b>',
    )
    expect(entriesHtml([row({ marks: {} })], 0, look)).toBe(entriesHtml([row()], 0, look))
  })

  it('marks as many as are new, from the top', () => {
    const html = entriesHtml([row(), row(), row()], 2, look)
    expect(html.match(/<b>NEW<\/b>/g)).toHaveLength(2)
    expect(html.split('<li>')[3]).not.toContain('NEW')
  })

  it('says the language and direction of other scripts', () => {
    expect(entriesHtml([row({ name: '紅樓夢' })], 0, look)).toContain('<span lang=zh>紅樓夢</span>')
    expect(entriesHtml([row({ name: 'كليلة ودمنة' })], 0, look)).toContain('<span lang=ar dir=rtl>')
  })

  it('leads an item where its list says, and names VIP types as one', () => {
    expect(entriesHtml([row({ contentType: 'asian', category: 'Banned' })], 0, look)).toContain('href="/banned/moby')
    const inVipList = { ...vipShelves['vip-asian'].row }
    const hidden = row({ contentType: 'vip-asian', category: 'VIP Banned' })
    expect(entriesHtml([hidden], 0, inVipList)).toContain('<a class=vip href="/vip-banned/moby')
  })

  it('says of which type a row is where that is not the type of its list', () => {
    const { row: inVipBanned } = vipShelves['vip-banned']
    const chips = (['vip-banned', 'vip-asian', 'vip-western', 'vip-unknown', 'vip'] as const).map(
      (contentType) => /<em>(.*?)<\/em>/.exec(entriesHtml([row({ contentType })], 1, inVipBanned))?.[1],
    )
    expect(chips).toEqual([undefined, 'ASIAN', 'WESTERN', 'UNKNOWN', 'VIP'])
    expect(entriesHtml([row({ contentType: 'vip' })], 1, inVipBanned)).toContain('<b>NEW VIP</b>')
  })
})

describe('the telling part of a name', () => {
  it.each([
    ['The Memoirs of Jacques Casanova de Seingalt,', ' 1725-1798. Volume 06: Paris — Casanova'],
    ['The Book of the Thousand Nights and a Night', ' — Volume 03 — Burton'],
    ['The History of Don Quixote,', ' Volume 2, Part 24 — Cervantes Saavedra'],
    ['Memoirs of General W. T. Sherman,', ' Volume I., Part 1 — Sherman'],
    ['The Memoirs of the Conquistador Bernal Diaz del Castillo,', ' Vol 1 (of 2) — Díaz del Castillo'],
    ['Encyclopaedia of all the rivers of the world:', ' Volume 4'],
    ['A chronicle of an anglo-saxon town, told at length', ' – Bede'],
    ['A chronicle of an anglo-saxon town, told at length', ' - Bede'],
    ['История государства Российского, том', ' — Карамзин'],
    ['Сочинения и письма из разных лет жизни,', ' том 7 — Карамзин'],
    ['一部非常長的書名它需要很多很多行才能完全顯示出來所以必須切斷而不失去其含義', '——曹雪芹'],
    ['A name without any part that would tell it from another', ''],
  ])('of %j is %j', (head, tail) => {
    expect(tellingPartOf(head + tail)).toBe(head.length)
  })

  it('stands apart in a long name, which reads the same as one text', () => {
    const name = 'The Works of <Somebody> in Many Books — Volume 3 — Smith & Sons'
    const html = entriesHtml([row({ name })], 0, look)
    expect(html).toContain(
      '<span><i>The Works of &lt;Somebody&gt; in Many Books</i><b> — Volume 3 — Smith &amp; Sons</b></span>',
    )
    const without = 'A name without any part that would tell it from another'
    expect(entriesHtml([row({ name: without })], 0, look)).toContain(`<span><i>${without}</i></span>`)
  })
})

it('a day is its date and its entries, block by block, and one without a date says so', () => {
  const entries = entriesHtml([row()], 0, look)
  const blocks = [{ rows: [row()], before: 0 }]
  expect(dayHtml({ day: '2024-03-05', blocks }, 0, look)).toBe(
    `<h2 data-day=Tue>March <b>05</b>, 2024</h2><ul>${entries}</ul>`,
  )
  expect(dayHtml({ day: '', blocks }, 0, look)).toBe(`<h2>Invalid Date</h2><ul>${entries}</ul>`)
})

it('a month is said once over its days, for the eye', () => {
  const group = (day: string | undefined) => ({ day, blocks: [{ rows: [row()], before: 0 }] })
  const html = daysHtml([group('2024-03-05'), group('2024-03-04'), group('2024-02-29')], 0, look)
  const folios = Array.from(html.matchAll(/<p class="folio" aria-hidden="true">(.*?)<\/p>/g), ([, words]) => words)
  expect(folios).toEqual(['March <b>2024</b>', 'February <b>2024</b>'])
  expect(html.match(/<h2 data-day=(Tue|Mon|Thu)>/g)).toHaveLength(3)
  expect(daysHtml([group('')], 0, look)).not.toContain('folio')
  expect(daysHtml([group(undefined)], 0, look)).not.toContain('folio')
})

it('in the order of fit the rows show their dates, under a heading for screen readers', () => {
  const html = dayHtml({ day: undefined, blocks: [{ rows: [row()], before: 0, isDated: true }] }, 0, look)
  expect(html).toMatch(/^<h2>Best match<\/h2><ul>/)
  expect(html).toMatch(/ <time>March 5, 2024<\/time><\/small>/)
})

it.each([
  ['2024-03-05', 'VIP Banned - March 5, 2024'],
  ['', 'VIP Banned - Invalid Date'],
])('a list may have words before the date of %j, which then is in its long form', (day, wanted) => {
  const html = dayHtml({ day, blocks: [] }, 0, vipShelves['vip-banned'].row)
  expect(html.replaceAll(/<[^>]+>/g, '')).toBe(wanted)
})

it('a block that comes later is put behind a text that stays as it was', () => {
  const first = { rows: [row(), row()], before: 0 }
  const second = { rows: [row()], before: 2 }
  const begun = dayHtml({ day: '2024-03-05', blocks: [first] }, 3, look)
  expect(dayHtml({ day: '2024-03-05', blocks: [first, second] }, 3, look)).toBe(begun + blockHtml(second, 3, look))
  expect(blockHtml(second, 3, look)).toContain('<b>NEW</b>')
  expect(blockHtml(second, 2, look)).not.toContain('<b>NEW</b>')
})

it('an entry of early access says so in place of NEW', () => {
  const html = entriesHtml([row({ vipFirst: true })], 1, vipShelves['vip-asian'].row)
  expect(html).toContain('<b>VIP first</b>')
  expect(html).not.toContain('NEW')
})
