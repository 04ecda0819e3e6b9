import { sql } from 'kysely'
import { isUuid } from '../../../platform/uuid.ts'
import type { People } from '../../office/people.ts'
import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import { matchesMember } from '../user/member-search.server.ts'
import { isAdministrator } from '../user/is-administrator.server.ts'
import { notifyAdministrators } from './notify-administrators.server.ts'

/** More members of one name are told apart by their addresses. */
const mostFound = 20

/** Answers the questions of the office about accounts. */
export function peopleForOffice(app: Pick<AccountsApp, 'config' | 'mail' | 'clock'>): People {
  return {
    async findIds(db, text) {
      const exact = await sql<{ id: string }>`select id from users where email_folded = ${foldEmail(text)}`.execute(db)
      if (exact.rows.length > 0 || text.trim() === '') return exact.rows.map(({ id }) => id)
      const { rows } = await sql<{ id: string }>`
        select id from users where ${matchesMember(text)} order by id limit ${mostFound}`.execute(db)
      return rows.map(({ id }) => id)
    },
    async readNames(db, ids) {
      if (ids.length === 0) return new Map()
      const { rows } = await sql<{ id: string; name: string }>`
        select id, name from users where id = any(${ids}::uuid[])`.execute(db)
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async findBehind(db, keys) {
      const ids = keys.filter((key) => isUuid(key))
      const addresses = keys.filter((key) => !isUuid(key))
      const { rows } = await sql<{ key: string; id: string; is_admin: boolean }>`
        select id::text as key, id, is_admin from users where id = any(${ids}::uuid[])
        union all select email_folded, id, is_admin from users where email_folded = any(${addresses}::text[])
        union all select d.id::text, u.id, u.is_admin from known_devices d join users u on u.id = d.user_id
                   where d.id = any(${ids}::uuid[])`.execute(db)
      return new Map(rows.map(({ key, id, is_admin: isAdmin }) => [key, { id, isAdmin }]))
    },
    isAdministrator: (trx, memberId) => isAdministrator(trx, memberId, app.config),
    async listAdministrators(db) {
      const { rows } = await sql<{ userId: string; email: string; name: string }>`
        select id as "userId", email, name from users where is_admin order by id`.execute(db)
      return rows
    },
    notifyOfAddress: (trx, { by, address }) =>
      notifyAdministrators(app, trx, { action: 'address.changed', by, address }),
  }
}
