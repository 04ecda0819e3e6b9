import { beforeAll, describe, expect, test } from 'vitest'
import type { AnswerTemplate, AnswerTemplates } from '../../src/features/office/answers/answer-template-schema.ts'
import type { NoticeForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { deskCalls } from '../harness/desk.ts'
import { anAdministrator, aSignedInMember, post, type SignedIn } from '../harness/members.ts'
import { aNotice } from '../harness/notices.ts'
import type { TestResponse } from '../harness/request.ts'
import type { z } from 'zod'
import { serverOfFile } from '../harness/test-server.ts'

/** The first administrator is the safety officer. */
let olga: SignedIn
let ada: SignedIn
let ben: SignedIn

const server = serverOfFile()

beforeAll(async () => {
  olga = await anAdministrator(server, 'Olga Officer')
  ada = await anAdministrator(server, 'Ada Admin')
  ben = await anAdministrator(server, 'Ben Admin')
})

const { act, read, list } = deskCalls(
  () => server,
  () => ada,
)
const codeOf = (answer: TestResponse): [number, string] => [answer.status, (answer.json() as { code: string }).code]
const eventsOf = async (action: string) =>
  server.app.db
    .selectFrom('audit_events')
    .select(['subject_id', 'details'])
    .where('action', '=', action as never)
    .execute()

describe('a notice is given to an administrator to work on', () => {
  test('who finds it under Mine; version, clocks and events stay', async () => {
    const { id, reference } = await aNotice(server.app, { name: 'Clara Claimant' })
    const before = await read({ reference })
    expect(before.assignee).toBeNull()
    expect(before.assignable.map(({ name }) => name)).toEqual(['Ada Admin', 'Ben Admin', 'Olga Officer'])
    const given = (await act(`${reference}/assign`, { to: ben.id, was: null })).json() as NoticeForDesk
    expect(given.assignee).toEqual({ id: ben.id, name: 'Ben Admin', isSelf: false })
    const { version, clocks, events, status } = given
    expect({ version, clocks, events, status }).toEqual({
      version: before.version,
      clocks: before.clocks,
      events: before.events,
      status: before.status,
    })
    const lists = async (query: string, by = ada) => (await list(query, by)).notices.map((one) => one.reference)
    expect(await lists('?assigned=mine', ben)).toEqual([reference])
    expect(await lists('?assigned=mine')).toEqual([])
    expect(await lists('?assigned=nobody')).not.toContain(reference)
    const [line] = (await list('?assigned=mine', ben)).notices
    expect(line?.assignee).toMatchObject({ name: 'Ben Admin', isSelf: true })
    const recorded = (await eventsOf('notice.assigned')).filter(({ subject_id }) => subject_id === id)
    expect(recorded.map(({ details }) => details)).toMatchObject([{ reference, before: null, after: ben.id }])

    // The same once more is no event; a second tab that has not seen it changes nothing.
    expect((await act(`${reference}/assign`, { to: ben.id, was: null })).status).toBe(200)
    const late = await act(`${reference}/assign`, { to: ada.id, was: null })
    expect(codeOf(late)).toEqual([409, 'notice.conflict'])
    expect(late.json()).toMatchObject({ current: { assignee: { id: ben.id } } })
    expect((await eventsOf('notice.assigned')).filter(({ subject_id }) => subject_id === id)).toHaveLength(1)
    const both = await Promise.all([ada, olga].map(({ id: to }) => act(`${reference}/assign`, { to, was: ben.id })))
    expect(both.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([200, 409])

    // A former administrator works on nothing.
    const again = await aNotice(server.app)
    await act(`${again.reference}/assign`, { to: ben.id, was: null })
    await server.app.db.updateTable('users').set({ is_admin: false }).where('id', '=', ben.id).execute()
    expect((await read(again)).assignee).toBeNull()
    expect((await act(`${again.reference}/assign`, { to: ada.id, was: null })).status).toBe(200)
    await server.app.db.updateTable('users').set({ is_admin: true }).where('id', '=', ben.id).execute()
    expect((await act(`${again.reference}/assign`, { to: null, was: ada.id })).json()).toMatchObject({ assignee: null })
  })

  test('but only to who may see it, and by them', async () => {
    const member = await aSignedInMember(server)
    const { reference } = await aNotice(server.app)
    for (const to of [member.id, '01900000-0000-7000-8000-000000000000', 'x', 7])
      expect(codeOf(await act(`${reference}/assign`, { to, was: null }))).toEqual([422, 'notice.invalid'])
    expect((await act(`${reference}/assign`, { to: null, was: null }, member)).status).toBe(403)
    expect((await act('N-0000-0000/assign', { to: null, was: null })).status).toBe(404)

    const child = await aNotice(server.app, { kind: 'child-safety' })
    expect((await act(`${child.reference}/assign`, { to: ada.id, was: null })).status).toBe(404)
    const refused = await act(`${child.reference}/assign`, { to: ada.id, was: null }, olga)
    expect(refused.json()).toMatchObject({ message: 'Only a safety officer can work on this notice.', field: 'to' })
    const given = (await act(`${child.reference}/assign`, { to: olga.id, was: null }, olga)).json() as NoticeForDesk
    expect(given.assignable.map(({ name }) => name)).toEqual(['Olga Officer'])
    const event = (await eventsOf('notice.assigned')).find(({ subject_id }) => subject_id === child.id)
    expect(event?.details).not.toHaveProperty('after')
    // A notice that becomes one of these is nobody's whom it is hidden from.
    const handed = await aNotice(server.app)
    await act(`${handed.reference}/assign`, { to: ada.id, was: null })
    const { version } = await read(handed)
    await act(`${handed.reference}/kind`, { kind: 'child-safety', version })
    expect((await read(handed, olga)).assignee).toBeNull()
  })
})

describe('templates of answers', () => {
  const path = '/api/answer-templates'
  const send = (rest: string, body: unknown, method = 'POST', by = ada) =>
    method === 'POST'
      ? post(server, `${path}${rest}`, body, by.headers)
      : server.request(`${path}${rest}`, {
          method,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...by.headers },
        })
  const all = async (): Promise<AnswerTemplate[]> =>
    ((await server.request(path, { headers: ada.headers })).json() as z.infer<typeof AnswerTemplates>).templates

  test('are shared, changed over the version that was read, and recorded', async () => {
    const made = await send('', { name: ' Sign it ', text: 'Please sign your notice.\r\n' })
    expect(made.status).toBe(201)
    const template = made.json() as AnswerTemplate
    expect(template).toMatchObject({ name: 'Sign it', text: 'Please sign your notice.', version: 1 })
    await send('', { name: 'Another', text: 'Text.' })
    expect((await all()).map(({ name }) => name)).toEqual(['Another', 'Sign it'])
    expect(codeOf(await send('', { name: 'SIGN IT', text: 'x' }))).toEqual([422, 'template.name'])

    const edited = await send(`/${template.id}`, { name: 'Sign it', text: 'Sign.', version: 1 }, 'PUT', ben)
    expect(edited.json()).toMatchObject({ text: 'Sign.', version: 2 })
    const late = await send(`/${template.id}`, { name: 'Sign it', text: 'Mine.', version: 1 }, 'PUT')
    expect(codeOf(late)).toEqual([409, 'template.conflict'])
    expect(late.json()).toMatchObject({ current: { text: 'Sign.', version: 2 } })
    expect(codeOf(await send(`/${template.id}/delete`, { version: 1 }))).toEqual([409, 'template.conflict'])
    expect((await send(`/${template.id}/delete`, { version: 2 })).status).toBe(204)
    expect(codeOf(await send(`/${template.id}/delete`, { version: 2 }))).toEqual([404, 'template.not_found'])
    expect((await eventsOf('template.saved')).length).toBe(3)
    expect((await eventsOf('template.deleted')).map(({ details }) => details)).toMatchObject([{ name: 'Sign it' }])
  })

  test('refuse what is no template', async () => {
    for (const body of [
      { name: '', text: 'x' },
      { name: 'x'.repeat(61), text: 'x' },
      { name: 'two\nlines', text: 'x' },
      { name: 'x', text: ' ' },
      { name: 'x', text: 'x'.repeat(5_001) },
      { name: 'x', text: 'a\0b' },
      { name: 'x', text: 'x', more: 1 },
    ])
      expect(codeOf(await send('', body))).toEqual([422, 'template.invalid'])
    const member = await aSignedInMember(server)
    expect((await send('', { name: 'x', text: 'x' }, 'POST', member)).status).toBe(403)
    expect((await server.request(path, { headers: member.headers })).status).toBe(403)
  })
})
