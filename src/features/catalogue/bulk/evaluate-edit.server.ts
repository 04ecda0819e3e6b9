import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import { regionOfType } from '../item/content-type.ts'
import { cellsOf, type Item, type ItemColumn, itemColumns, type wholeItemText } from '../item/item.ts'
import { type ItemLinks, linkSlots } from '../item/link-slots.ts'
import { splitName } from '../item/split-name.ts'
import { blockedLinkRefusals, findRefusals, type GateRules } from '../publishing/publication-checks.ts'
import type { ChangedItem } from '../publishing/save-items.server.ts'
import type { BulkChanges, Difference } from './bulk-edit.ts'
import { type ChangeableItem, isRestrictedByPeople } from '../publishing/stored-item.server.ts'

export type Verdict =
  | { kind: 'unchanged' }
  | { kind: 'refused'; difference: Difference[]; reasons: string[] }
  | {
      kind: 'changed'
      difference: Difference[]
      item: Item
      isPublished: boolean
      otherwise: ChangedItem['otherwise']
    }

export interface EditRules {
  changes: BulkChanges
  schema: ReturnType<typeof wholeItemText>
  gate: GateRules
  timeZone: string
  now: number
}

/** Why nothing of an item is changed that a notice, or a decision on one, holds. */
export const heldSentence = 'It is held by a notice, or by a decision on one.'

type Cells = Record<ItemColumn, string>

/**
 * Applies the changes to the item as a row of the import format has it, so that the rules of a row, and its sentences, are
 * those of an edit; then asks the gate, where the item is to be published or stays so. Pure.
 */
export function evaluateEdit(before: ChangeableItem, rules: EditRules): Verdict {
  const { changes, schema, gate, timeZone, now } = rules
  const old = textsOf(before.item, timeZone)
  const cells = changedCells(before, old, rules)
  const status = changes.status ?? before.status
  const difference: Difference[] = itemColumns
    .filter((column) => cells[column] !== old[column])
    .map((field) => ({ field, before: old[field], after: cells[field] }))
  if (status !== before.status) difference.push({ field: 'status', before: before.status, after: status })
  if (difference.length === 0) return { kind: 'unchanged' }
  const refuse = (reasons: string[]): Verdict => ({ kind: 'refused', difference, reasons })

  if (before.hold !== null) return refuse([heldSentence])
  if (isRestrictedByPeople(before)) return refuse(['It is restricted by hand or by a notice.'])
  const { data: item, error } = schema.safeParse(cells)
  if (item === undefined) return refuse(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`))
  const isPublished = status === 'published'
  const refusals = isPublished ? findRefusals({ ...before, item }, gate, now) : blockedLinkRefusals(item, gate.blocked)
  if (refusals.length > 0) return refuse(refusals.map(({ message }) => message))
  return { kind: 'changed', difference, item, isPublished, otherwise: isPublished ? 'draft' : status }
}

function textsOf(item: ChangeableItem['item'], timeZone: string): Cells {
  const cells = cellsOf(item, timeZone)
  return Object.fromEntries(itemColumns.map((column) => [column, String(cells[column] ?? '')])) as Cells
}

function changedCells(before: ChangeableItem, old: Cells, { changes, timeZone }: EditRules): Cells {
  const { status: _status, shiftDays, action: _action, separator, host: _host, newHost: _newHost, ...fields } = changes
  const cells = {
    ...linksAfter(old, changes),
    ...(separator === undefined || old.creators !== '' ? {} : splitName(old.name, separator)),
  }
  for (const [column, value] of Object.entries(fields)) {
    if (value !== undefined) cells[column as ItemColumn] = String(value)
  }
  // The region of the type before is not the operator's word.
  const ownRegion = changes.contentType === undefined ? undefined : regionOfType(changes.contentType)
  if (ownRegion !== undefined && changes.region === undefined) cells.region = ownRegion
  if (shiftDays !== undefined) cells.postDate = shifted(before.item.postDate, shiftDays, old.postDate, timeZone)
  return cells
}

/** The item with the links that it has after the edit; without such a change, itself. */
export function linksAfter<Linked extends ItemLinks>(item: Linked, { host, newHost }: BulkChanges): Linked {
  if (host === undefined || newHost === undefined) return item
  const links = linkSlots.map((slot) => [slot, item[slot] && onOtherHost(item[slot], host, newHost)])
  return { ...item, ...Object.fromEntries(links) }
}

/** A link on this host, with or without `www.` and at any port, with the other one in its place; any other link as it is. */
function onOtherHost(link: string, host: string, newHost: string): string {
  const url = URL.parse(link)
  if (url === null || url.hostname.replace(/^www\./, '') !== host.replace(/^www\./, '')) return link
  // The rest of the address stays as it was written: the parser would spell it anew.
  return link.replace(/^(https?:\/\/)[^/?#]*/i, (_all, scheme: string) => scheme + newHost)
}

/** Whole days of the site's time zone, where it is a day; else the same time of day in UTC. */
function shifted(postDate: number, days: number, text: string, timeZone: string): string {
  if (!text.includes('T')) return addDays(dayOf(postDate, timeZone), days)
  return new Date(postDate + days * 86_400_000).toISOString()
}
