import { type RawBuilder, sql } from 'kysely'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'

/** The condition on `users u` for whoever can work on the notice `n`. */
const mayWork = sql<boolean>`u.is_admin and (n.kind <> 'child-safety' or u.is_safety_officer)`

/** The administrator who works on the notice `n`, as JSON; null for nobody, and for one who may not see it any more. */
export const assigneeOfNotice: RawBuilder<{ id: string; name: string } | null> = sql`
  (select json_build_object('id', u.id, 'name', u.name) from notice_assignments a join users u on u.id = a.member_id
    where a.notice_id = n.id and ${mayWork})`

/** Whether nobody works on the notice `n`. */
export const isUnassigned = sql<boolean>`${assigneeOfNotice} is null`

/** The administrators who can work on a notice, by name, and the one who does. */
export async function readAssignment({ db }: Pick<NoticesApp, 'db'>, viewer: Viewer, noticeId: string) {
  const { rows } = await sql<{ assignee: { id: string; name: string } | null; able: { id: string; name: string }[] }>`
    select ${assigneeOfNotice} as assignee,
           coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name, u.id)
                       from users u where ${mayWork}), '[]') as able
      from notices n where n.id = ${noticeId}`.execute(db)
  const [{ assignee, able } = { assignee: null, able: [] }] = rows
  return { assignee: withSelf(assignee, viewer), assignable: able.map((one) => withSelf(one, viewer)) }
}

/** The same person, and whether it is the caller. */
export function withSelf<Person extends { id: string; name: string } | null>(person: Person, viewer: Viewer) {
  type Told = Person extends null ? null : { id: string; name: string; isSelf: boolean }
  return (person === null ? null : { ...person, isSelf: person.id === viewer.member?.id }) as Told
}
