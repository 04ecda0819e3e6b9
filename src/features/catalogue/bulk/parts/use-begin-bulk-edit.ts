import { useRef } from 'react'
import { uuidv7 } from 'uuidv7'
import { request } from '../../../../browser/api-client.ts'
import { BulkEditForAdmin } from '../bulk-schema.ts'

/** Begins a bulk edit with its preview. The same one sent again, such as after a lost answer, begins no second one. */
export function useBeginBulkEdit(): (edit: { filter: object; changes: object }) => Promise<BulkEditForAdmin> {
  const sent = useRef({ text: '', id: '' })
  return async (edit) => {
    const text = JSON.stringify(edit)
    if (sent.current.text !== text) sent.current = { text, id: uuidv7() }
    const call = { method: 'POST', body: { id: sent.current.id, ...edit } } as const
    const begun = await request('/api/bulk-edits', BulkEditForAdmin, call)
    // The same edit once more, later, needs a new preview.
    sent.current = { text: '', id: '' }
    return begun
  }
}
