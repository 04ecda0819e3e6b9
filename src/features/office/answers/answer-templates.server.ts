import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { type AppError, defineError } from '../../../platform/errors.ts'
import type { OfficeApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../viewer/viewer.ts'
import { type AnswerTemplate, maxTemplates } from './answer-template-schema.ts'

type App = Pick<OfficeApp, 'db' | 'clock'>

export async function readAnswerTemplates({ db }: Pick<OfficeApp, 'db'>): Promise<AnswerTemplate[]> {
  const rows = await db
    .selectFrom('answer_templates')
    .selectAll()
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
  return rows.map(inAnswer)
}

/** @throws {AppError} `template.name`, 422, for a name that there is; `template.many`, 409, beyond the most that there may be */
export async function addAnswerTemplate(
  app: App,
  viewer: Viewer,
  { name, text }: { name: string; text: string },
): Promise<AnswerTemplate> {
  return orTaken(name, () =>
    app.db.transaction().execute(async (trx) => {
      const { count } = await trx
        .selectFrom('answer_templates')
        .select((select) => select.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxTemplates) throw tooManyTemplates()
      const row = await trx
        .insertInto('answer_templates')
        .values({ id: uuidv7(), name, text, changed_at: new Date(app.clock.now()) })
        .returningAll()
        .executeTakeFirstOrThrow()
      await record(trx, viewer, { action: 'template.saved', id: row.id, name })
      return inAnswer(row)
    }),
  )
}

/**
 * Writes a template over the version that was read.
 * @throws {AppError} `template.not_found`, 404; `template.conflict`, 409, with the template as it is; `template.name`, 422
 */
export async function saveAnswerTemplate(
  app: App,
  viewer: Viewer,
  { id, name, text, version }: { id: string; name: string; text: string; version: number },
): Promise<AnswerTemplate> {
  return orTaken(name, () =>
    app.db.transaction().execute(async (trx) => {
      const row = await trx
        .updateTable('answer_templates')
        .set({ name, text, version: version + 1, changed_at: new Date(app.clock.now()) })
        .where('id', '=', id)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst()
      if (row === undefined) throw await overtaken(trx, id)
      await record(trx, viewer, { action: 'template.saved', id, name })
      return inAnswer(row)
    }),
  )
}

/**
 * Deletes a template in the version that was read. Answers that began with it stay as they are.
 * @throws {AppError} `template.not_found`, 404; `template.conflict`, 409, with the template as it is
 */
export async function deleteAnswerTemplate(
  app: App,
  viewer: Viewer,
  { id, version }: { id: string; version: number },
): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom('answer_templates')
      .where('id', '=', id)
      .where('version', '=', version)
      .returning('name')
      .executeTakeFirst()
    if (row === undefined) throw await overtaken(trx, id)
    await record(trx, viewer, { action: 'template.deleted', id, name: row.name })
  })
}

type Trx = Parameters<typeof recordAuditEvent>[0] & Pick<OfficeApp['db'], 'selectFrom'>

async function record(
  trx: Trx,
  viewer: Viewer,
  { action, id, name }: { action: 'template.saved' | 'template.deleted'; id: string; name: string },
): Promise<void> {
  const by = { memberId: requireMember(viewer).id }
  await recordAuditEvent(trx, { action, by, subject: { kind: 'template', id }, details: { name } })
}

async function overtaken(trx: Trx, id: string): Promise<AppError> {
  const row = await trx.selectFrom('answer_templates').selectAll().where('id', '=', id).executeTakeFirst()
  return row === undefined ? noSuchTemplate() : templateConflict({ details: { current: inAnswer(row) } })
}

async function orTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: unknown }).code !== '23505') throw error
    throw templateNameTaken(name, { cause: error })
  }
}

function inAnswer(row: { id: string; name: string; text: string; version: number; changed_at: Date }): AnswerTemplate {
  const { id, name, text, version, changed_at: changedAt } = row
  return { id, name, text, version, changedAt: changedAt.toISOString() }
}

export const noSuchTemplate = defineError({
  code: 'template.not_found',
  status: 404,
  sentence: 'There is no such template any more.',
  remedy: 'Read the list again.',
})

export const templateConflict = defineError({
  code: 'template.conflict',
  status: 409,
  sentence: 'Somebody else has changed this template meanwhile. Look at it as it is now, and try again.',
  members: { current: 'the template as it is now.' },
  remedy: 'Look at the template under `current`, and repeat the call with its version.',
})

export const templateNameTaken = defineError({
  code: 'template.name',
  status: 422,
  field: 'name',
  sentence: (name: string) => `There is a template “${name}” already. Choose another name.`,
  remedy: 'Send another name.',
})

export const tooManyTemplates = defineError({
  code: 'template.many',
  status: 409,
  sentence: `There are ${maxTemplates} templates already. Delete one first.`,
  remedy: 'Delete one first.',
})
