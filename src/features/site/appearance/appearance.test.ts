import { expect, test } from 'vitest'
import type { Appearance } from './appearance-schema.ts'
import { faultOfAppearance, noAppearance } from './appearance.ts'
import { bannerId, lookOf } from './look.ts'

const look = (change: Partial<Appearance>, day = '2024-03-05') => {
  const stored = JSON.stringify({ ...noAppearance, ...change })
  return lookOf({ get: () => stored }, Date.parse(`${day}T12:00:00Z`), 'UTC')
}
const banner = (change: Partial<Appearance['banner']>) => ({
  banner: { ...noAppearance.banner, text: 'Hello', ...change },
})

test('nothing saved looks like the house', () => {
  expect(lookOf({ get: () => '' }, 0, 'UTC')).toBeUndefined()
  expect(look({})).toEqual({ sheet: expect.stringMatching(/^\/appearance\.css\?v=\w+$/) as string, links: [] })
})

test('a banner stands on its days, both inclusive, and has another id with another text', () => {
  const days = (change: Partial<Appearance['banner']>) =>
    ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07'].filter(
      (day) => look(banner(change), day)?.announcement !== undefined,
    )
  expect(days({})).toHaveLength(4)
  expect(days({ from: '2024-03-05', until: '2024-03-06' })).toEqual(['2024-03-05', '2024-03-06'])
  expect(days({ until: '2024-03-04' })).toEqual(['2024-03-04'])
  expect(days({ text: '' })).toEqual([])
  const ids = [{}, { text: 'Hi' }, { to: '/plans' }, { from: '2024-03-01' }].map((change) =>
    bannerId(banner(change).banner),
  )
  expect(new Set(ids).size).toBe(4)
})

test('a day of a banner begins with midnight of the site', () => {
  const stored = JSON.stringify({ ...noAppearance, ...banner({ from: '2024-03-05' }) })
  const at = (instant: string) => lookOf({ get: () => stored }, Date.parse(instant), 'America/Sao_Paulo')?.announcement
  expect(at('2024-03-05T02:59:59Z')).toBeUndefined()
  expect(at('2024-03-05T03:00:00Z')).toBeDefined()
})

test('links lead outside where they have another host', () => {
  const links = [
    { label: 'Blog', to: 'https://blog.example/' },
    { label: 'Plans', to: '/plans' },
  ]
  expect(look({ links, mark: 'ab' })).toMatchObject({
    links: [{ isOutside: true }, { isOutside: false }],
    mark: { src: '/marks/ab.webp', hidesName: false },
  })
})

const long = 'x'.repeat(201)
test.each<[field: string | undefined, change: Partial<Appearance>]>([
  [undefined, {}],
  [undefined, { colours: { ...noAppearance.colours, asian: '#00aa55' } }],
  ['colours.vip', { colours: { ...noAppearance.colours, vip: 'gold' } }],
  ['colours.asian', { colours: { ...noAppearance.colours, asian: '#00AA55;}' } }],
  ['links', { links: Array.from({ length: 4 }, () => ({ label: 'a', to: '/' })) }],
  ['links.0.label', { links: [{ label: '', to: '/plans' }] }],
  ['links.0.label', { links: [{ label: 'x'.repeat(25), to: '/plans' }] }],
  [
    'links.1.to',
    {
      links: [
        { label: 'a', to: '/' },
        { label: 'b', to: 'javascript:alert(1)' },
      ],
    },
  ],
  ['links.0.to', { links: [{ label: 'a', to: '//evil.example' }] }],
  ['links.0.to', { links: [{ label: 'a', to: '/\\evil.example' }] }],
  ['links.0.to', { links: [{ label: 'a', to: 'https://user:pass@blog.example' }] }],
  ['links.0.to', { links: [{ label: 'a', to: '' }] }],
  [undefined, banner({ to: '/plans', from: '2024-03-05', until: '2024-03-05' })],
  ['banner.text', banner({ text: long })],
  ['banner.text', banner({ text: 'a\u202eb' })],
  ['banner.to', banner({ to: 'data:text/html,x' })],
  ['banner.to', banner({ to: 'https:evil.example' })],
  ['banner.from', banner({ from: '2024-02-30' })],
  ['banner.until', banner({ from: '2024-03-05', until: '2024-03-04' })],
  ['hidesName', { hidesName: true }],
])('a fault is told at %s', (field, change) => {
  expect(faultOfAppearance({ ...noAppearance, ...change })?.field).toBe(field)
})

test('a colour that would be hard to see is refused with what was measured', () => {
  const colours = { ...noAppearance.colours, vip: '#00ffcc' }
  expect(faultOfAppearance({ ...noAppearance, colours })).toEqual({
    field: 'colours.vip',
    message: 'VIP: marks would have 2.9 : 1 in the light theme; 3 : 1 is needed.',
  })
})
