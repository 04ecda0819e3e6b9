import type { NoticesTransaction } from '../app.ts'

/** The entries that a notice's addresses led to, and that are still there, each once, in the order of the addresses. */
export async function reportedItems(trx: NoticesTransaction, noticeId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('notice_items')
    .select('item_id')
    .where('notice_id', '=', noticeId)
    .where('item_id', 'is not', null)
    .orderBy('position')
    .execute()
  return [...new Set(rows.flatMap(({ item_id }) => item_id ?? []))]
}
