import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomUUID } from 'node:crypto'
import { anItem, deleteAllItems, type MadeItem } from '../../../../tests/harness/items.ts'
import { appOfFile } from '../../../../tests/harness/test-app.ts'
import { categoriesMissed, contentTypes } from '../item/content-type.ts'

/*
 * The database refuses whatever is not cleared, whoever writes (docs/spec/publishing.md#database-gate). Every statement
 * here is raw SQL: what a console, a script or a mistaken line of code could send.
 */

let item: MadeItem
const test = appOfFile()
beforeEach(async () => {
  await deleteAllItems(test.app)
  item = await anItem(test.app, { name: 'Cleared', externalId: 'cleared' })
})

const run = (statement: string) => sql.raw(statement).execute(test.app.db)
const refusal = (statement: string) =>
  run(statement).then(
    () => undefined,
    (error: Error) => error.message,
  )

async function statusOf({ id }: { id: string }): Promise<string> {
  const { status } = await test.app.db
    .selectFrom('items')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return status
}

const bareItem = (columns = '', values = '') => `
  insert into items (id, name, searched, slug, category_id, content_type, region, post_date, post_month,
                     link, status${columns})
  values ('${randomUUID()}', 'Bare', 'bare', 'bare', 1, 'western', 'western', now(), 1,
          'https://mega.nz/bare', 'published'${values})`
const wholeRights = `, people, rights_basis, rights_evidence, permits_download, rights_attested_by, rights_attested_at`
const wholeRightsValues = `, 'none', 'public_domain', 'seen', true, 'me', now()`

describe('A published row cannot be inserted', () => {
  it('without rights', async () => {
    expect(await refusal(bareItem())).toMatch(/published_/)
  })

  it('without a clearance, though its rights are whole', async () => {
    expect(await refusal(bareItem(wholeRights, wholeRightsValues))).toMatch(/published_is_cleared/)
  })

  it('by naming a clearance that does not exist', async () => {
    expect(await refusal(bareItem(`${wholeRights}, cleared_version`, `${wholeRightsValues}, 1`))).toMatch(
      /item_clearance/,
    )
  })

  it('with the clearance of another item', async () => {
    await run(`
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select '${randomUUID()}', version, fingerprint, '[]', 'me' from items where id = '${item.id}'`)
    expect(await refusal(bareItem(`${wholeRights}, cleared_version`, `${wholeRightsValues}, 1`))).toMatch(
      /item_clearance/,
    )
  })
})

describe('A draft cannot be made a published row', () => {
  it.each([
    ['by its status', `status = 'published'`],
    ['by its status and version', `status = 'published', cleared_version = version`],
  ])('%s', async (_, change) => {
    const draft = await anItem(test.app, { name: 'Draft', status: 'draft' })
    expect(await refusal(`update items set ${change} where id = '${draft.id}'`)).toMatch(
      /published_is_cleared|item_clearance/,
    )
    expect(await statusOf(draft)).toBe('draft')
  })

  it('by putting the clearance in for an earlier content', async () => {
    const draft = await anItem(test.app, { name: 'Draft', status: 'draft' })
    await run(`
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from items where id = '${draft.id}'`)
    expect(
      await refusal(
        `update items set name = 'Other', status = 'published', cleared_version = version where id = '${draft.id}'`,
      ),
    ).toMatch(/item_clearance/)
  })
})

describe('A published row cannot be changed so that its clearance no longer fits', () => {
  it.each([
    ['its name', `name = 'Renamed'`, /item_clearance/],
    ['its link', `link = 'https://mega.nz/other'`, /item_clearance/],
    ['another link', `link_mv4 = 'https://mega.nz/other'`, /item_clearance/],
    ['its category', `category_id = 5`, /item_clearance/],
    ['its region', `region = 'asian'`, /item_clearance/],
    ['its rating', `rating = 'mature'`, /item_clearance/],
    ['its licence', `rights_licence = 'MIT'`, /item_clearance/],
    ['its holder', `rights_holder = 'Somebody'`, /item_clearance/],
    ['the span of its rights', `rights_valid_until = now() + interval '1 day'`, /item_clearance/],
    ['its version', `version = version + 1`, /published_is_cleared/],
    ['its version and the cleared one', `version = version + 1, cleared_version = version + 1`, /item_clearance/],
    ['the cleared version', `cleared_version = null`, /published_is_cleared/],
    ['its type', `content_type = 'asian'`, /item_clearance/],
    [
      'its type to one that its category does not suit',
      `content_type = 'banned'`,
      /cannot be published in the category/,
    ],
    [
      'its type to VIP without paid access',
      `content_type = 'vip', permits_paid_access = false`,
      /published_permits_paid_access/,
    ],
    ['its permission of downloads', `permits_download = false`, /published_permits_download/],
    ['its basis', `rights_basis = null`, /published_has_rights/],
    ['its basis to a licence without holder', `rights_basis = 'license'`, /published_has_rights/],
    ['its attestation', `rights_attested_by = null, rights_attested_at = null`, /published_has_rights/],
    ['the revocation of its rights', `rights_revoked_at = now()`, /published_has_rights/],
    ['its evidence', `rights_evidence = null`, /published_has_evidence/],
    ['its people statement', `people = null`, /published_states_people/],
    ['its people to identifiable', `people = 'identifiable'`, /consent/],
    ['its main link to nothing', `link = null`, /published_has_link/],
    ['the end of its rights to the past', `rights_valid_until = now() - interval '1 day'`, /expired/],
    ['the beginning of its rights to the future', `rights_valid_from = now() + interval '1 day'`, /not valid yet/],
  ])('%s', async (_, change, reason) => {
    expect(await refusal(`update items set ${change} where id = '${item.id}'`)).toMatch(reason)
    expect(await statusOf(item)).toBe('published')
  })

  it.each([
    ['id', `id = '${randomUUID()}'`],
    ['slug', `slug = 'another'`],
    ['number', `no = default`],
    ['creation time', `created_at = now() + interval '1 day'`],
  ])('its %s', async (_, change) => {
    expect(await refusal(`update items set ${change} where id = '${item.id}'`)).toMatch(/never change|item_clearance/)
  })
})

describe('Clearances', () => {
  it.each([
    ['changed', `update clearances set cleared_by = 'nobody'`],
    ['deleted', `delete from clearances`],
    ['emptied', `truncate clearances cascade`],
  ])('cannot be %s', async (_, statement) => {
    expect(await refusal(statement)).toMatch(/are a record and are never changed/)
  })
})

describe('Consents', () => {
  const consentOf = (owner: MadeItem, values = `true, true, 'yes'`) => `
    insert into consent_records (id, item_id, pseudonym, permits_publication, permits_download, verified_adult, evidence, recorded_by)
    values ('${randomUUID()}', '${owner.id}', 'Ana', ${values}, 'letter', 'me')`
  const publish = (owner: MadeItem) => `
    with cleared as (
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from items where id = '${owner.id}' on conflict do nothing)
    update items set status = 'published', cleared_version = version where id = '${owner.id}'`

  const aPortrait = () => anItem(test.app, { name: 'Portrait', people: 'identifiable', status: 'draft' })
  async function aPublishedPortrait(): Promise<MadeItem> {
    const portrait = await aPortrait()
    await run(consentOf(portrait))
    await run(publish(portrait))
    expect(await statusOf(portrait)).toBe('published')
    return portrait
  }

  it('are needed for an item that shows identifiable people', async () => {
    expect(await refusal(publish(await aPortrait()))).toMatch(/without a valid consent/)
  })

  it.each([
    ['no publication', `false, true, 'yes'`],
    ['no downloads', `true, false, 'yes'`],
    ['an unknown age', `true, true, 'unknown'`],
    ['a minor', `true, true, 'no'`],
  ])('with %s are none', async (_, values) => {
    const portrait = await aPortrait()
    await run(consentOf(portrait, values))
    expect(await refusal(publish(portrait))).toMatch(/without a valid consent/)
  })

  it.each([
    ['withdrawn', `update consent_records set withdrawn_at = now()`],
    ['ended', `update consent_records set valid_until = now()`],
    ['found to be of a minor', `update consent_records set verified_adult = 'no'`],
    ['deleted', `delete from consent_records`],
  ])('that are %s restrict the item in the same statement', async (_, statement) => {
    const portrait = await aPublishedPortrait()
    await run(`${statement} where item_id = '${portrait.id}'`)
    expect(await statusOf(portrait)).toBe('restricted')
    expect(await refusal(publish(portrait))).toMatch(/without a valid consent/)
  })

  it('of one more person who is a minor restrict the item', async () => {
    const portrait = await aPublishedPortrait()
    await run(consentOf(portrait, `true, true, 'no'`).replace('Ana', 'Bea'))
    expect(await statusOf(portrait)).toBe('restricted')
  })

  describe.each(['none', 'not_identifiable'])('of an item that states %s later', (people) => {
    it.each([
      ['withdrawn', `withdrawn_at = now()`],
      ['found to be of a minor', `verified_adult = 'no'`],
    ])('keep it off the site when they are %s', async (_, change) => {
      const portrait = await aPublishedPortrait()
      await run(`update consent_records set ${change} where item_id = '${portrait.id}'`)
      await run(`update items set people = '${people}' where id = '${portrait.id}'`)
      expect(await refusal(publish(portrait))).toMatch(/withdrew the consent, or was no adult/)
      expect(await statusOf(portrait)).toBe('restricted')
    })

    it('restrict it when they are withdrawn while it is published', async () => {
      const portrait = await aPortrait()
      await run(consentOf(portrait))
      await run(`update items set people = '${people}' where id = '${portrait.id}'`)
      await run(publish(portrait))
      expect(await statusOf(portrait)).toBe('published')
      await run(`update consent_records set withdrawn_at = now() where item_id = '${portrait.id}'`)
      expect(await statusOf(portrait)).toBe('restricted')
    })
  })

  it.each([`withdrawn_at = now()`, `verified_adult = 'no'`])(
    'with %s keep their item and themselves',
    async (change) => {
      const portrait = await aPublishedPortrait()
      await run(`update consent_records set ${change} where item_id = '${portrait.id}'`)
      expect(await refusal(`delete from items where id = '${portrait.id}'`)).toMatch(/stays as the record/)
      expect(await refusal(`delete from consent_records where item_id = '${portrait.id}'`)).toMatch(/is final/)
    },
  )

  it('that were withdrawn count again with other evidence alone', async () => {
    const portrait = await aPublishedPortrait()
    const mine = `where item_id = '${portrait.id}'`
    await run(`update consent_records set withdrawn_at = now() ${mine}`)
    expect(await refusal(`update consent_records set withdrawn_at = null ${mine}`)).toMatch(/this evidence proves/)
    await run(`update consent_records set withdrawn_at = null, evidence = 'another letter' ${mine}`)
    await run(publish(portrait))
    expect(await statusOf(portrait)).toBe('published')
  })

  it('of an item stay with it', async () => {
    const portrait = await aPublishedPortrait()
    expect(await refusal(`update consent_records set item_id = '${item.id}' where item_id = '${portrait.id}'`)).toMatch(
      /belongs to one item/,
    )
  })
})

describe('What has left the site', () => {
  const leave = (status: string) => run(`update items set status = '${status}' where id = '${item.id}'`)

  it.each(['draft', 'restricted', 'removed'])('as %s does not come back on its old clearance', async (status) => {
    await leave(status)
    const before = await statusOf(item)
    for (const change of [
      `status = 'published'`,
      `status = 'published', cleared_version = version`,
      `status = 'published', cleared_version = 1, version = 1`,
      `status = 'published', cleared_version = version - 1, version = version - 1`,
    ]) {
      expect(await refusal(`update items set ${change} where id = '${item.id}'`), change).toBeDefined()
    }
    expect(await statusOf(item)).toBe(before)
  })

  it('and was removed does not come back even with a clearance of its new version', async () => {
    await leave('removed')
    await run(`
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from items where id = '${item.id}'`)
    expect(
      await refusal(`update items set status = 'published', cleared_version = version where id = '${item.id}'`),
    ).toMatch(/was removed and cannot come back/)
  })

  it('takes a new version with it, so that whoever was editing it is told', async () => {
    await leave('restricted')
    const { version } = await test.app.db.selectFrom('items').select('version').executeTakeFirstOrThrow()
    expect(version).toBe(2)
  })

  it('with revoked rights does not come back when the revocation is taken out', async () => {
    await run(`update items set status = 'restricted', rights_revoked_at = now() where id = '${item.id}'`)
    expect(
      await refusal(`update items set status = 'published', rights_revoked_at = null where id = '${item.id}'`),
    ).toMatch(/published_is_cleared/)
  })
})

describe('What was removed', () => {
  beforeEach(() => run(`update items set status = 'removed' where id = '${item.id}'`))

  it.each(['draft', 'restricted', 'published'])('does not become %s', async (status) => {
    expect(await refusal(`update items set status = '${status}' where id = '${item.id}'`)).toMatch(
      /was removed and cannot come back/,
    )
    expect(await statusOf(item)).toBe('removed')
  })

  it.each(['delete from items', 'truncate items cascade'])('is not swept away by %s', async (statement) => {
    expect(await refusal(statement)).toMatch(/stays as the record|never changed/)
    expect(await statusOf(item)).toBe('removed')
  })

  it('cannot be taken off the list of what was deleted, so as to come back under its id', async () => {
    expect(await refusal('delete from deleted_items')).toMatch(/never changed/)
  })
})

describe('A deleted item', () => {
  const columnsOfItems = async (): Promise<string> => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
       where table_name = 'items' and is_generated = 'NEVER' and is_identity = 'NO'`.execute(test.app.db)
    return rows.map(({ name }) => name).join(', ')
  }

  it.each(['draft', 'published', 'restricted'])(
    'that was %s is not inserted again on its old clearance',
    async (status) => {
      await run(`create table copies as select * from items where id = '${item.id}'`)
      await run(`update items set status = '${status}' where id = '${item.id}'`)
      await run(`delete from items where id = '${item.id}'`)
      const columns = await columnsOfItems()
      const again = `insert into items (${columns}) select ${columns} from copies`
      expect(await refusal(again)).toMatch(/was that of a deleted item/)
      // The statement is whole but for that: under an id of its own only the clearance is missing.
      await run(`update copies set id = '${randomUUID()}'`)
      expect(await refusal(again)).toMatch(/item_clearance/)
    },
  )
  it('is not inserted again by the statement that deletes it', async () => {
    await run(`create table copies as select * from items where id = '${item.id}'`)
    await run(`update items set status = 'restricted', restriction = 'notice' where id = '${item.id}'`)
    const columns = await columnsOfItems()
    const before = columns.replace(/\bid\b/, 'copies.id')
    expect(
      await refusal(`
        with gone as (delete from items where id = '${item.id}' or slug = 'zzz' returning id)
        insert into items (${columns}) select ${before} from copies join gone on gone.id = copies.id limit 1`),
    ).toMatch(/was that of a deleted item/)
    expect(await statusOf(item)).toBe('restricted')
  })

  afterEach(() => run('drop table copies'))
})

describe('Type and category', () => {
  const categoryId = async (name: string): Promise<number> =>
    (await test.app.db.selectFrom('categories').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
  const publishAs = async (contentType: string, category: string) => {
    const draft = await anItem(test.app, { name: `${contentType} ${category}`, category, contentType, status: 'draft' })
    await run(`
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from items where id = '${draft.id}'`)
    return refusal(`update items set status = 'published', cleared_version = version where id = '${draft.id}'`)
  }

  it.each(
    contentTypes.flatMap((type) =>
      ['Banned', 'Unknown', 'VIP Banned', 'VIP Unknown', 'Film'].map((c) => [type, c] as const),
    ),
  )('%s and %s are published just when the gate allows it', async (type, category) => {
    const isRefused = categoriesMissed({ contentType: type, category }) !== undefined
    const answer = await publishAs(type, category)
    if (isRefused) expect(answer).toMatch(/cannot be published in the category/)
    else expect(answer).toBeUndefined()
  })

  it('stay together when the category is renamed', async () => {
    expect(await publishAs('vip-banned', 'VIP Banned')).toBeUndefined()
    expect(
      await refusal(`update categories set name = 'Quiet', name_folded = 'quiet' where name = 'VIP Banned'`),
    ).toMatch(/Published items have a type that needs the category VIP Banned/)
    for (const half of [`name = 'Quiet'`, `name_folded = 'quiet'`]) {
      expect(await refusal(`update categories set ${half} where name = 'VIP Banned'`), half).toMatch(
        /needs the category/,
      )
    }
    expect(await categoryId('VIP Banned')).toBeGreaterThan(0)
  })
})

describe('The name of a category', () => {
  it.each([
    ['Leaked', 'leaked'],
    ['The LEAKED files', 'the leaked files'],
    ['Stolen — Pictures', 'stolen - pictures'],
    ['ｌｅａｋｅｄ', 'leaked'],
    ['Le\u00adaked', 'leaked'],
    ['Lèaked', 'other'],
    ['Other', 'warez'],
    ['l e a k e d', 'l e a k e d'],
    ['L.E.A.K.E.D', 'l.e.a.k.e.d'],
    ['lea-ked tapes', 'lea-ked tapes'],
    ['1eaked', '1eaked'],
    ['0n1yf4ns', '0n1yf4ns'],
    ['n0n c0nsensua1', 'n0n c0nsensua1'],
    ['le@k$', 'le@k$'],
    ['lеаkеd', 'lеаkеd'],
    ['LЕАKЕD', 'other'],
    ['ʟᴇᴀᴋᴇᴅ', 'other'],
    ['hiddencamera', 'hiddencamera'],
    ['x x x', 'x x x'],
  ])('cannot become %j', async (name, folded) => {
    const change = sql`update categories set name = ${name}, name_folded = ${folded} where name = 'Film'`
    await expect(change.execute(test.app.db)).rejects.toThrow(/prohibited term/)
    const added = sql`insert into categories (name, name_folded) values (${name}, ${folded})`
    await expect(added.execute(test.app.db)).rejects.toThrow(/prohibited term/)
  })

  it.each([
    ['Bleaksley', 'bleaksley'],
    ['Pictures, stolen', 'pictures, stolen'],
    ['Books X-XX', 'books x-xx'],
    ['1984', '1984'],
    ['Bleak House', 'bleak house'],
    ['Хроника', 'хроника'],
    ['19. Jahrhundert', '19. jahrhundert'],
    ['電影', '電影'],
    ['Фильмы', 'фильмы'],
    ['फ़िल्म', 'फिल्म'],
  ])('may become %j', async (name, folded) => {
    await sql`update categories set name = ${name}, name_folded = ${folded} where name = 'Film'`.execute(test.app.db)
    await sql`update categories set name = 'Film', name_folded = 'film' where name = ${name}`.execute(test.app.db)
  })
})

it.each(['-infinity', 'infinity', '12000-01-01'])(
  'A post date of %s is refused: no list could tell it',
  async (date) => {
    expect(await refusal(`update items set post_date = '${date}' where id = '${item.id}'`)).toMatch(
      /post_date_has_four_digits/,
    )
  },
)

it('Consents cannot be swept away from under what is published', async () => {
  expect(await refusal('truncate consent_records cascade')).toMatch(/never changed/)
})

it.skipIf(process.env['TEST_DATABASE_URL'] === undefined)(
  'A consent that is withdrawn while its item is being published restricts the item all the same',
  async () => {
    const shown = await anItem(test.app, { name: 'Shows a person', status: 'draft', people: 'identifiable' })
    await run(`
      insert into consent_records (id, item_id, pseudonym, permits_publication, permits_download, evidence, verified_adult, recorded_by)
      values ('${randomUUID()}', '${shown.id}', 'A', true, true, 'signed', 'yes', 'me')`)
    await run(`
      insert into clearances (item_id, version, fingerprint, checks, cleared_by)
      select id, version, fingerprint, '[]', 'me' from items where id = '${shown.id}'`)
    let withdrawal: Promise<unknown> = Promise.resolve()
    await test.app.db.transaction().execute(async (trx) => {
      await sql`update items set status = 'published', cleared_version = version where id = ${shown.id}`.execute(trx)
      withdrawal = run(`update consent_records set withdrawn_at = now() where item_id = '${shown.id}'`)
      // Long enough for the withdrawal to reach the database and meet the publication under way.
      await new Promise((wake) => setTimeout(wake, 300))
    })
    await withdrawal
    expect(await statusOf(shown)).toBe('restricted')
  },
)
