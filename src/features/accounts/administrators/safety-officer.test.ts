import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drainJobs } from '../../../../tests/harness/drain.ts'
import { readEmails } from '../../../../tests/harness/emails.ts'
import { aMember, type MadeMember } from '../../../../tests/harness/members.ts'
import { openTestApp, type TestApp } from '../../../../tests/harness/test-app.ts'
import { makeAdministrator } from './make-administrator.server.ts'
import { demoteAdministrator } from './demote-administrator.server.ts'
import { setSafetyOfficerByOperator } from './safety-officer.server.ts'

let site: TestApp
beforeEach(async () => {
  site = await openTestApp()
})
afterEach(() => site.close())

const officers = async (): Promise<string[]> =>
  (
    await site.app.db.selectFrom('users').select('email').where('is_safety_officer', '=', true).orderBy('id').execute()
  ).map(({ email }) => email)

const aKeeper = (email: string): Promise<MadeMember> => aMember(site.app, { isAdmin: true, email })

describe('the database', () => {
  const run = (statement: RawBuilder<unknown>) => statement.execute(site.app.db)

  test('marks the first administrator, also one that is made of a member, and no other', async () => {
    const first = await aMember(site.app, { email: 'first@desk.example' })
    expect(await officers()).toEqual([])
    await run(sql`update users set is_admin = true where id = ${first.id}`)
    await aKeeper('second@desk.example')
    expect(await officers()).toEqual([first.email])
  })

  test('keeps a mark on one of them, whoever writes', async () => {
    const [head, other] = [await aKeeper('head@desk.example'), await aKeeper('other@desk.example')]
    for (const statement of [
      sql`update users set is_safety_officer = false`,
      sql`update users set is_safety_officer = false where id = ${head.id}`,
      sql`update users set is_admin = false where id = ${head.id}`,
      sql`update users set is_admin = false, is_safety_officer = false where id = ${head.id}`,
      sql`delete from users where id = ${head.id}`,
    ])
      await expect(run(statement)).rejects.toMatchObject({ code: 'DB016' })
    await run(sql`update users set is_safety_officer = true where id = ${other.id}`)
    // One statement cannot remove both of two.
    await expect(run(sql`update users set is_safety_officer = false`)).rejects.toMatchObject({ code: 'DB016' })
    await run(sql`update users set is_admin = false where id = ${head.id}`)
    expect(await officers()).toEqual([other.email])
    await expect(run(sql`update users set is_safety_officer = false`)).rejects.toMatchObject({ code: 'DB016' })
    for (const statement of [sql`update users set is_admin = false where is_admin`, sql`delete from users`])
      await expect(run(statement)).rejects.toMatchObject({ code: 'DB006' })
  })

  test('gives the mark to nobody but administrators', async () => {
    await aKeeper('head@desk.example')
    const member = await aMember(site.app)
    await expect(run(sql`update users set is_safety_officer = true where id = ${member.id}`)).rejects.toThrow(
      'a_safety_officer_is_an_administrator',
    )
  })

  test('has one left of two that take the mark, the role or the account from each other at once', async () => {
    const [one, two] = [await aKeeper('one@desk.example'), await aKeeper('two@desk.example')]
    await aKeeper('three@desk.example')
    const ways = [
      (id: string) => sql`update users set is_safety_officer = false where id = ${id}`,
      (id: string) => sql`update users set is_admin = false where id = ${id}`,
    ]
    for (const way of ways) {
      await run(sql`update users set is_admin = true where id in (${one.id}, ${two.id})`)
      await run(sql`update users set is_safety_officer = true where id in (${one.id}, ${two.id})`)
      const results = await Promise.allSettled([run(way(one.id)), run(way(two.id))])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      expect(await officers()).toHaveLength(1)
    }
  })
})

describe('the operator', () => {
  test('names a safety officer and takes the mark away; both and every administrator are told once', async () => {
    const { app } = site
    await makeAdministrator(app, { email: 'head@desk.example', name: 'The Head', password: 'the head librarian' })
    expect(await officers()).toEqual(['head@desk.example'])
    await aKeeper('other@desk.example')
    await setSafetyOfficerByOperator(app, { email: 'OTHER@desk.example', isOfficer: true })
    await setSafetyOfficerByOperator(app, { email: 'other@desk.example', isOfficer: true })
    expect((await officers()).toSorted()).toEqual(['head@desk.example', 'other@desk.example'])
    await setSafetyOfficerByOperator(app, { email: 'head@desk.example', isOfficer: false })
    await drainJobs(app)
    const sent = (await readEmails(app)).map(({ to, subject }) => `${to}: ${subject}`)
    expect(sent.filter((line) => line.includes('safety')).toSorted()).toEqual([
      'head@desk.example: There is a new safety officer at Daybook',
      'head@desk.example: You are no longer a safety officer of Daybook',
      'other@desk.example: An administrator is no safety officer any more at Daybook',
      'other@desk.example: You are a safety officer of Daybook now',
    ])
    const events = await app.db
      .selectFrom('audit_events')
      .select(['action', 'actor'])
      .where('action', 'like', 'role.safety%')
      .orderBy('recorded_at')
      .orderBy('id')
      .execute()
    expect(events.map(({ action, actor }) => [action, actor])).toEqual([
      ['role.safety_officer_named', 'system'],
      ['role.safety_officer_named', 'operator'],
      ['role.safety_officer_withdrawn', 'operator'],
    ])
  })

  test('is told what to do first where the last one would go', async () => {
    const { app } = site
    const head = await aKeeper('head@desk.example')
    await aKeeper('other@desk.example')
    const refused = {
      code: 'account.last_safety_officer',
      status: 409,
      message: 'head@desk.example is the last safety officer. Name another safety officer first.',
    }
    await expect(setSafetyOfficerByOperator(app, { email: head.email, isOfficer: false })).rejects.toMatchObject(
      refused,
    )
    await expect(demoteAdministrator(app, { email: head.email })).rejects.toMatchObject(refused)
    const member = await aMember(app)
    await expect(setSafetyOfficerByOperator(app, { email: member.email, isOfficer: true })).rejects.toMatchObject({
      code: 'account.not_found',
      message: `No administrator has the address ${member.email}.`,
    })
    await expect(setSafetyOfficerByOperator(app, { email: member.email, isOfficer: false })).rejects.toMatchObject({
      code: 'account.not_found',
    })
  })

  test('who demotes a safety officer takes the mark with the role, and both are recorded', async () => {
    const { app } = site
    await aKeeper('head@desk.example')
    const other = await aKeeper('other@desk.example')
    await setSafetyOfficerByOperator(app, { email: other.email, isOfficer: true })
    await demoteAdministrator(app, { email: other.email })
    expect(await officers()).toEqual(['head@desk.example'])
    const events = await app.db.selectFrom('audit_events').select('action').where('subject_id', '=', other.id).execute()
    expect(events.map(({ action }) => action).toSorted()).toEqual([
      'role.safety_officer_named',
      'role.safety_officer_withdrawn',
      'role.withdrawn',
    ])
  })
})
