import { sql } from 'kysely'
import type { Problem, Waiting } from '../../office/contributions.ts'
import type { CatalogueApp } from '../app.ts'

const shownFor = '7 days'

export async function waitingImports({ db }: CatalogueApp): Promise<Waiting | undefined> {
  const { count } = await db
    .selectFrom('imports')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  if (count === 0) return undefined
  const sentence = count === 1 ? 'An uploaded file waits to be imported' : `${count} uploaded files wait to be imported`
  return { group: 'content', sentence, count, verb: 'Import', to: '/admin/import' }
}

export async function failedTransfers({ db }: CatalogueApp): Promise<Problem[]> {
  const since = sql<Date>`now() - ${shownFor}::interval`
  const [imports, edits, merges] = await Promise.all([
    db
      .selectFrom('imports')
      .select(['file_name', 'ended_at', 'failure'])
      .where('state', '=', 'failed')
      .where('ended_at', '>', since)
      .orderBy('ended_at', 'desc')
      .limit(5)
      .execute(),
    db
      .selectFrom('bulk_edits')
      .select(['made_at', 'failure'])
      .where('failure', 'is not', null)
      .where('made_at', '>', since)
      .orderBy('made_at', 'desc')
      .limit(5)
      .execute(),
    db
      .selectFrom('category_merges')
      .select(['ended_at', 'failure'])
      .where('state', '=', 'failed')
      .where('ended_at', '>', since)
      .orderBy('ended_at', 'desc')
      .limit(5)
      .execute(),
  ])
  return [
    ...imports.map(({ file_name, ended_at, failure }) =>
      problemOf(`The import of ${file_name} failed: ${failure}`, ended_at, '/admin/import'),
    ),
    ...edits.map(({ made_at, failure }) => problemOf(`A bulk edit failed: ${failure}`, made_at, '/admin/bulk-edit')),
    ...merges.map(({ ended_at, failure }) =>
      problemOf(`A merge of categories stopped: ${failure}`, ended_at, '/admin/categories'),
    ),
  ]
}

function problemOf(sentence: string, at: Date | null, to: string): Problem {
  return { group: 'failed', sentence, to, ...(at === null ? {} : { since: at }) }
}
