import { z } from 'zod'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import { secondActs } from '../notice/notice-event.ts'

type Reading = { db: Pick<NoticesTransaction, 'selectFrom'> } & Pick<NoticesApp, 'config'>

const FirstAct = z.object({
  act: z.enum(secondActs),
  of: z.optional(z.string()),
  legalGround: z.optional(z.string()),
  facts: z.optional(z.string()),
  explanation: z.optional(z.string()),
})

/** The act of one safety officer that a second one must confirm. */
export interface WaitingAct extends z.infer<typeof FirstAct> {
  byId: string
  at: Date
}

/**
 * The acts that wait for a second safety officer at this version of the notice. An act ends when the notice changes or
 * its officer loses the role.
 */
export async function readWaiting(
  app: Reading,
  notice: { id: string; version: number },
): Promise<readonly WaitingAct[]> {
  const rows = await app.db
    .selectFrom('notice_events')
    .select(['by_id', 'at', 'details'])
    .where('notice_id', '=', notice.id)
    .where('type', '=', 'second-wanted')
    .where('version', '=', notice.version)
    .orderBy('no')
    .execute()
  if (rows.length === 0) return []
  const officers = await officersInForce(app)
  if (officers.length < 2) return []
  return rows.flatMap(({ by_id: byId, at, details }) =>
    byId === null || !officers.includes(byId) ? [] : [{ byId, at, ...FirstAct.parse(details) }],
  )
}

/** The safety officers who can act: where the site asks for a second factor, those who have one. */
export async function officersInForce({ db, config }: Reading): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'has_second_factor'])
    .where('is_safety_officer', '=', true)
    .execute()
  return rows.filter((row) => row.has_second_factor || !config.requiresAdminSecondFactor).map(({ id }) => id)
}
