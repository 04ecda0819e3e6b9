import { dayInWords } from '../../../../browser/format-instant.ts'
import { isUuid } from '../../../../platform/uuid.ts'
import { auditActions } from '../../audit/audit-event.ts'
import type { AuditEventForAdmin } from '../../audit/audit-log-schema.ts'

type Event = Pick<AuditEventForAdmin, 'action' | 'subject' | 'details'>

/** 'Changed an entry'; the action itself where this version does not know it. */
export function actionInWords(action: string): string {
  return (auditActions as Record<string, string>)[action] ?? action
}

const subjectNames: Record<string, string> = {
  item: 'an entry',
  category: 'a category',
  request: 'a request',
  inquiry: 'an inquiry',
  import: 'an import',
  member_import: 'an import of members',
  bulk_edit: 'a change of many entries',
  setting: 'settings',
}

/** 'Jane Reader', 'a deleted account', 'settings: gateway', 'Moby Dick'. */
export function subjectInWords({ subject, details }: Event): string {
  if (subject === null) return ''
  const { kind, id, name } = subject
  if (kind === 'member') return name ?? 'a deleted account'
  if (kind === 'setting') return `settings: ${id}`
  // Who asked is a person: their name is not kept here.
  if (kind === 'inquiry' && isUuid(id)) return `the inquiry of ${dayInWords(madeAt(id))}`
  return nameIn(kind, details) ?? subjectNames[kind] ?? kind
}

/** An id of version 7 begins with its milliseconds. */
function madeAt(id: string): string {
  return new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()
}

/** What an entry, a category or a request was called then: the name outlives them. */
function nameIn(kind: string, { name, slug, title, from, after }: Record<string, unknown>): string | undefined {
  const names = kind === 'item' ? [name, slug] : kind === 'category' ? [name, from, after] : [title]
  return names.find((one): one is string => typeof one === 'string' && one !== '')
}

const pages: Record<string, string> = {
  category: '/admin/categories',
  import: '/admin/import',
  member_import: '/admin/people/import',
  bulk_edit: '/admin/bulk-edit',
}

/** Where the inquiry stands after the action. */
const inquiryStates: Record<string, string> = { 'inquiry.answered': 'answered', 'inquiry.closed': 'closed' }

/** The page of what an event is about; undefined where there is none. */
export function pathOfSubject({ subject, action }: Event): string | undefined {
  if (subject === null) return undefined
  const { kind, id, name } = subject
  if (kind === 'member') return name === null ? undefined : `/admin/people/${encodeURIComponent(id)}`
  if (kind === 'setting') return id === 'gateway' ? '/admin/gateway' : '/admin/texts'
  if (kind === 'item') return action === 'item.deleted' ? undefined : `/admin/settings?edit=${encodeURIComponent(id)}`
  if (kind === 'request') return `/admin/requests?status=${action === 'request.rejected' ? 'rejected' : 'approved'}`
  if (kind === 'inquiry') return `/admin/support?state=${inquiryStates[action] ?? 'open'}`
  return pages[kind]
}

export interface DetailLine {
  name: string
  /** Where a value was changed. */
  before?: string
  after: string
}

/**
 * The facts of an event as lines. What changed stands in `before` and `after`, of the whole event or of one of its facts.
 */
export function detailLines(details: Record<string, unknown>): DetailLine[] {
  const { before, after, ...rest } = details
  const changed = isRecord(before) || isRecord(after) ? changesOf(before, after) : []
  const single = !isRecord(before) && !isRecord(after) && (before !== undefined || after !== undefined)
  return [
    ...changed,
    ...(single ? [{ name: 'value', before: inWords(before), after: inWords(after) }] : []),
    ...linesOf(rest),
  ]
}

function linesOf(facts: Record<string, unknown>, within = ''): DetailLine[] {
  return Object.entries(facts).flatMap(([key, value]): DetailLine[] => {
    const name = `${within}${nameInWords(key)}`
    if (!isRecord(value)) return [{ name, after: inWords(value) }]
    if ('before' in value && 'after' in value && Object.keys(value).length === 2)
      return [{ name, before: inWords(value['before']), after: inWords(value['after']) }]
    return linesOf(value, `${name}, `)
  })
}

function changesOf(before: unknown, after: unknown): DetailLine[] {
  const old = isRecord(before) ? before : {}
  const saved = isRecord(after) ? after : {}
  return [...new Set([...Object.keys(old), ...Object.keys(saved)])].map((key) => ({
    name: nameInWords(key),
    before: inWords(old[key]),
    after: inWords(saved[key]),
  }))
}

/** 'isFirstValue' is 'is first value'. */
function nameInWords(key: string): string {
  return key.replaceAll('_', ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** More than a text that the log keeps whole. */
const longest = 1_200

function inWords(value: unknown): string {
  const characters = Array.from(textOf(value))
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : characters.join('')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return value.toLocaleString('en-US')
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return Object.entries(value as Record<string, unknown>)
    .map(([key, one]) => `${nameInWords(key)} ${textOf(one)}`)
    .join(', ')
}
