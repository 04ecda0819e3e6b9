import type { AuditEventForAdmin } from '../../../accounts/audit/audit-log-schema.ts'

type AuditSubject = NonNullable<AuditEventForAdmin['subject']>

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

/** 'Jane Reader', 'a deleted account', 'settings: gateway'. */
export function subjectInWords({ kind, id, name }: AuditSubject): string {
  if (kind === 'member') return name ?? 'a deleted account'
  if (kind === 'setting') return `settings: ${id}`
  return name ?? subjectNames[kind] ?? kind
}

const pages: Record<string, string> = {
  category: '/admin/categories',
  request: '/admin/requests',
  inquiry: '/admin/support',
  import: '/admin/import',
  member_import: '/admin/people/import',
  bulk_edit: '/admin/bulk-edit',
}

/** The page of what an event is about; undefined where there is none. */
export function pathOfSubject({ kind, id, name }: AuditSubject): string | undefined {
  if (kind === 'member') return name === null ? undefined : `/admin/people/${encodeURIComponent(id)}`
  if (kind === 'setting') return id === 'gateway' ? '/admin/gateway' : '/admin/texts'
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
    ...Object.entries(rest).map(([name, value]): DetailLine => {
      if (isRecord(value) && 'before' in value && 'after' in value && Object.keys(value).length === 2)
        return { name, before: inWords(value['before']), after: inWords(value['after']) }
      return { name, after: inWords(value) }
    }),
  ]
}

function changesOf(before: unknown, after: unknown): DetailLine[] {
  const old = isRecord(before) ? before : {}
  const saved = isRecord(after) ? after : {}
  return [...new Set([...Object.keys(old), ...Object.keys(saved)])].map((name) => ({
    name,
    before: inWords(old[name]),
    after: inWords(saved[name]),
  }))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const longest = 200

function inWords(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const text =
    typeof value === 'number'
      ? value.toLocaleString('en-US')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
  const characters = Array.from(text)
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
}
