import { sql } from 'kysely'
import type { Invariant } from '../../office/contributions.ts'

/** The invariant of requests: the counts of lists equal the votes that count. */
export const voteInvariants: readonly Invariant[] = [
  {
    name: 'requests.votes',
    headline: 'Requests with another number of votes than were given',
    sentence: 'The number of votes that they show differs from the votes that members have given.',
    advice: 'Somebody has written into the tables past their rules: look who may write to the database.',
    over: { table: sql`content_requests`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select r.id::text as id from ${batch} r
       where r.votes <> (select count(*) from request_votes v where v.request_id = r.id and v.counts)`,
  },
]
