import type { Transaction } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { requestInvalid } from '../../../http/parameters.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { ProhibitedNames, WantedNames } from './prohibited-names-schema.ts'

const lists = ['refused', 'minority', 'sexual'] as const
type List = (typeof lists)[number]

/** How many terms administrators may add to each list: every name is compared with all of them. */
export const maxAdded = 200

export async function readProhibitedNames(db: Queryable<CatalogueDatabase>): Promise<ProhibitedNames> {
  const state = await db.selectFrom('prohibited_lists').select('version').executeTakeFirstOrThrow()
  const rows = await db.selectFrom('prohibited_terms').select(['list', 'term_folded', 'is_built_in']).execute()
  const pick = (from: typeof rows) => {
    const of = (list: List): string[] =>
      from
        .filter((row) => row.list === list)
        .map(({ term_folded: term }) => term)
        .toSorted()
    return { refused: of('refused'), pairs: { minority: of('minority'), sexual: of('sexual') } }
  }
  return { ...pick(rows), version: state.version, builtIn: pick(rows.filter((row) => row.is_built_in)) }
}

/**
 * Saves the administrators' additions to the built-in names, in force at once on every instance. Published entries are
 * checked at night (docs/spec/publishing.md#recheck).
 * @param wanted folded, each term once in its list, with the version that they were read at
 * @throws {AppError} `prohibited_names.conflict`, 409, with the lists as they are now; `request.invalid`, 422
 */
export async function saveProhibitedNames(
  app: Pick<CatalogueApp, 'db' | 'log'>,
  viewer: Viewer,
  wanted: WantedNames,
): Promise<ProhibitedNames> {
  const by = requireMember(viewer).id
  return app.db.transaction().execute(async (trx) => {
    const { version } = await trx.selectFrom('prohibited_lists').select('version').forUpdate().executeTakeFirstOrThrow()
    const current = await readProhibitedNames(trx)
    if (wanted.version !== version) throw prohibitedNamesConflict({ details: { current } })
    const changes = lists.map((list) => changeOf(list, wanted, current))
    if (changes.every(({ added, removed }) => added.length + removed.length === 0)) return current
    for (const change of changes) await write(trx, change)
    const saved = version + 1
    await trx.updateTable('prohibited_lists').set({ version: saved }).execute()
    await recordAuditEvent(trx, {
      action: 'settings.prohibited_names_saved',
      by: { memberId: by },
      subject: { kind: 'setting', id: 'prohibited-names' },
      details: { ...factOf('added', changes), ...factOf('removed', changes), version: saved },
    })
    app.log.info({ by, version: saved }, 'The prohibited names were saved.')
    return readProhibitedNames(trx)
  })
}

interface Change {
  list: List
  added: string[]
  removed: string[]
}

/** @throws {AppError} `request.invalid`, 422, where too many are added */
function changeOf(list: List, wanted: WantedNames, current: ProhibitedNames): Change {
  const of = ({ refused, pairs }: Pick<WantedNames, 'refused' | 'pairs'>): readonly string[] =>
    list === 'refused' ? refused : pairs[list]
  const without = (terms: readonly string[], left: readonly string[]): string[] => {
    const known = new Set(left)
    return terms.filter((term) => !known.has(term))
  }
  const builtIn = of(current.builtIn)
  const own = without(of(wanted), builtIn)
  if (own.length > maxAdded) {
    throw requestInvalid(`You can add at most ${maxAdded} terms to ${list}. You have added ${own.length}.`, {
      field: list === 'refused' ? list : `pairs.${list}`,
    })
  }
  const before = without(of(current), builtIn)
  return { list, added: without(own, before), removed: without(before, own) }
}

async function write(trx: Transaction<CatalogueDatabase>, { list, added, removed }: Change): Promise<void> {
  if (removed.length > 0) {
    await trx
      .deleteFrom('prohibited_terms')
      .where('list', '=', list)
      .where('is_built_in', '=', false)
      .where('term_folded', 'in', removed)
      .execute()
  }
  if (added.length > 0) {
    await trx
      .insertInto('prohibited_terms')
      .values(added.map((term) => ({ list, term_folded: term })))
      .execute()
  }
}

function factOf(fact: 'added' | 'removed', changes: readonly Change[]): Record<string, unknown> {
  const by = changes.flatMap((change) => (change[fact].length === 0 ? [] : [[change.list, change[fact]] as const]))
  return by.length === 0 ? {} : { [fact]: Object.fromEntries(by) }
}

export const prohibitedNamesConflict = defineError({
  code: 'prohibited_names.conflict',
  status: 409,
  sentence: 'Somebody else has saved these lists meanwhile. Compare them, and save again.',
  members: { current: 'the lists as they are now.' },
  remedy: 'Compare with the lists under `current`, and save with their version.',
})
