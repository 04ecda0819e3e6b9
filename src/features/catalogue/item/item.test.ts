import { describe, expect, it } from 'vitest'
import { type Item, type ItemColumn, itemColumns, wholeItemText } from './item.ts'

const min: Partial<Record<ItemColumn, string>> = {
  name: 'A work',
  category: 'Film',
  contentType: 'western',
  link: 'https://mega.nz/a',
}

function texts(overrides: Partial<Record<ItemColumn, string>>): Record<string, string> {
  return Object.fromEntries(itemColumns.map((column) => [column, overrides[column] ?? min[column] ?? '']))
}

function read(overrides: Partial<Record<ItemColumn, string>>, timeZone = 'UTC'): Item {
  return wholeItemText(timeZone).parse(texts(overrides))
}

function faults(overrides: Partial<Record<ItemColumn, string>>): string[] {
  const { error } = wholeItemText('UTC').safeParse(texts(overrides))
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('wholeItemText', () => {
  it('asks for a name, a category, a content type and a link, and for nothing else', () => {
    expect(faults({})).toEqual([])
    expect(faults({ name: '', category: ' ', contentType: '', link: '' }).map((text) => text.split('.')[0])).toEqual([
      'name is missing',
      'category is missing',
      'contentType is missing',
      'link is missing',
    ])
  })

  it('folds the spaces of a name and composes its accents', () => {
    expect(read({ name: '  Cafe\u0301\n  de\u3000Flore ' }).name).toBe('Café de Flore')
  })

  it('counts the characters of a name as readers do, not their halves', () => {
    expect(read({ name: '𠀀'.repeat(300) }).name).toHaveLength(600)
    expect(faults({ name: 'a'.repeat(301) })).toEqual(['name has 301 characters. At most 300 are allowed.'])
  })

  it.each([
    'bell \u0007',
    'null \u0000',
    'turned \u202e round',
    'half \ud800',
    '\ud800',
    '\u0000',
    'not UTF-8 \ufffd',
    'le\u{e0020}aked',
    'tags \u{1f600}\u{e0061}\u{e007f}',
    'annotated \ufff9',
    'deprecated \u206a',
  ])('refuses a name with %j', (name) => {
    expect(faults({ name })[0]).toMatch(/^name holds a (control )?character/)
  })

  it.each([
    'می\u200cخواهم',
    'क्\u200dष',
    '\u{1f469}\u200d\u{1f680} ❤\ufe0f',
    '葛\u{e0100}城',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} cup',
  ])('keeps what the spelling of %j needs', (name) => {
    expect(read({ name }).name).toBe(name)
  })

  it.each(['\u200b\u200d', '\u3164 \u1160', '\u2800\u2800', '\ufe0f'])(
    'takes a name of invisible characters for none: %j',
    (name) => {
      expect(faults({ name })).toEqual(['name is missing. It needs 1 to 300 characters.'])
    },
  )

  it('reads a line without text as none', () => {
    expect(read({ externalId: ' ' }).externalId).toBeNull()
  })

  it('takes the region from the type, western where the type has none', () => {
    expect(read({ contentType: 'asian' }).region).toBe('asian')
    expect(read({ contentType: 'vip-asian' }).region).toBe('asian')
    expect(read({ contentType: 'banned' }).region).toBe('western')
    expect(read({ contentType: 'banned', region: 'asian' }).region).toBe('asian')
  })

  it('refuses a region that contradicts the type', () => {
    expect(faults({ contentType: 'vip-western', region: 'asian' })[0]).toMatch(
      /^region is 'asian', but the content type 'vip-western'/,
    )
  })

  it('lets a day begin in the site\u2019s time zone', () => {
    expect(new Date(read({ postDate: '2024-03-05' }, 'America/Sao_Paulo').postDate as number).toISOString()).toBe(
      '2024-03-05T03:00:00.000Z',
    )
    expect(read({ postDate: '2024-03-05T01:30:00+01:00' }).postDate).toBe(Date.parse('2024-03-05T00:30:00Z'))
  })

  it('lets rights hold through the last day that is named', () => {
    expect(read({ validTo: '2024-12-31' }).validTo).toBe(Date.parse('2025-01-01T00:00:00Z'))
    expect(read({ validTo: '9998-12-31' }).validTo).toBe(Date.parse('9999-01-01T00:00:00Z'))
    expect(faults({ validFrom: '2024-02-01', validTo: '2024-01-31' })).toEqual([
      'validTo lies before validFrom. It must be later.',
    ])
  })

  it.each([
    '2023-02-30',
    '2024-3-5',
    '05/03/2024',
    '2024-03-05T10:00:00',
    '0999-01-01',
    '9999-12-31',
    '9999-12-31T23:00:00Z',
    'yesterday',
    '2024-03-05T25:00:00Z',
  ])('refuses the date %j', (postDate) => {
    expect(faults({ postDate })[0]).toContain('Use a day like 2024-03-05')
  })

  it('reads words in any case and names the allowed ones', () => {
    expect(read({ contentType: 'VIP-Asian', rating: 'Mature', permitsDownload: 'YES' })).toMatchObject({
      contentType: 'vip-asian',
      rating: 'mature',
      permitsDownload: true,
    })
    expect(faults({ people: 'some' })).toEqual([
      'people is "some". Use one of: none, not_identifiable, identifiable; or leave it empty.',
    ])
  })

  it('says everything that is wrong at once', () => {
    expect(
      faults({ name: '', contentType: 'film', link: 'ftp://a.example/b', slug: 'Not A Slug', rating: '5' }),
    ).toHaveLength(5)
  })
})

describe('creators', () => {
  it('are separated by semicolons, trimmed, and kept once in their order', () => {
    expect(read({ creators: ' Émile Zola ;;Anton Chekhov; EMILE  ZOLA;' }).creators).toEqual([
      'Émile Zola',
      'Anton Chekhov',
    ])
    expect(read({ creators: ' ; ' }).creators).toEqual([])
  })

  it('are at most ten, of at most 200 characters each', () => {
    const eleven = Array.from({ length: 11 }, (_, i) => `Name ${i}`)
    expect(faults({ creators: eleven.slice(1).join(';') })).toEqual([])
    expect(faults({ creators: eleven.join(';') })).toEqual(['creators has 11 names. At most 10 are allowed.'])
    expect(faults({ creators: `A; ${'b'.repeat(201)}` })).toEqual([
      'creators has a name that has 201 characters. At most 200 are allowed.',
    ])
    expect(faults({ creators: 'A; b\u0007' })[0]).toMatch(/^creators has a name that holds a control character/)
  })
})
