import { sql } from 'kysely'
import { countedToThousand } from '../../../platform/counted-to-thousand.ts'
import type { HomeRow, Waiting } from '../../office/contributions.ts'
import type { RequestsApp } from '../app.ts'
import { countPending } from './read-requests.server.ts'

export async function readWaitingRequests(app: Pick<RequestsApp, 'db'>): Promise<Waiting | undefined> {
  const count = await countPending(app)
  if (count === 0) return undefined
  const row = {
    sentence: `${countedToThousand(count, 'request')} to decide`,
    verb: 'Decide',
    to: '/admin/requests?status=pending',
  }
  return { group: 'requests', count, ...row, rows: async () => [{ ...row, ...(await readFirst(app)) }] }
}

/** The one that most members want, and since when the oldest waits. */
async function readFirst({ db }: Pick<RequestsApp, 'db'>): Promise<Partial<HomeRow>> {
  const { rows } = await sql<{ title: string; votes: number; since: Date }>`
    select title, votes,
           (select created_at from content_requests where status = 'pending' and removed_at is null order by id limit 1) as since
      from content_requests where status = 'pending' and removed_at is null order by votes desc, id limit 1`.execute(db)
  const [first] = rows
  if (first === undefined) return {}
  const { title, votes, since } = first
  return {
    since,
    line: `“${title}”`,
    ...(votes > 1 ? { facts: `the first with ${votes.toLocaleString('en-US')} votes` } : {}),
  }
}
