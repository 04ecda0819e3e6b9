import { sql } from 'kysely'
import { csvLines } from '../../../platform/csv/csv.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { type DecisionForStatement, statementFields, toEuStatement } from './eu-statement.ts'
import { visibleKinds } from './may-see.ts'

const atOnce = 500

/**
 * All decisions that restrict and that this administrator may know of, in the fields of the EU's database of statements of reasons, as
 * CSV, the oldest first. That it was taken is in the audit log before the first line.
 */
export async function exportStatements(app: NoticesApp, viewer: Viewer): Promise<AsyncIterable<string>> {
  await app.db
    .transaction()
    .execute((trx) =>
      recordAuditEvent(trx, { action: 'notices.statements_exported', by: { memberId: requireMember(viewer).id } }),
    )
  return linesOf(app, viewer)
}

async function* linesOf({ db }: Pick<NoticesApp, 'db'>, viewer: Viewer): AsyncIterable<string> {
  yield csvLines([statementFields])
  const kinds = visibleKinds(viewer)
  for (let after = 0; ;) {
    const { rows } = await sql<DecisionForStatement & { no: number }>`
      select d.no, d.id, d.outcome, d.ground, d.legal_ground as "legalGround", d.facts, d.explanation, d.category,
             d.decided_at as "decidedAt", d.applies_from as "appliesFrom", d.source_type as "sourceType",
             d.automated_decision as "automatedDecision",
             (select min((i.snapshot ->> 'postDate')::timestamptz) from notice_items i
               where i.notice_id = d.notice_id) as "contentDate"
        from notice_decisions d join notices n on n.id = d.notice_id
       where d.no > ${after} and d.outcome <> 'keep' and n.kind = any(${kinds}::text[])
       order by d.no limit ${atOnce}`.execute(db)
    yield csvLines(
      rows.flatMap((decision) => {
        const statement = toEuStatement(decision)
        return statement === undefined ? [] : [statementFields.map((field) => statement[field])]
      }),
    )
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    after = last.no
  }
}
