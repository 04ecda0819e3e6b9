import { timeInWords } from '../../../../browser/format-instant.ts'
import type { AuditEventForAdmin } from '../audit-log-schema.ts'

/** Whether members did it to themselves. */
export function isOfThemselves({ by, subject }: Pick<AuditEventForAdmin, 'by' | 'subject'>): boolean {
  return by.kind === 'member' && subject?.kind === 'member' && by.id === subject.id
}

export interface DetailLine {
  name: string
  /** The whole of what is shown cut short. */
  title?: string
  /** For a changed value. */
  before?: string
  after: string
}

/** The facts of an event that say something, as lines. A change has `before` and `after`, of the whole event or of one of its facts. */
export function detailLines({ action, details }: Pick<AuditEventForAdmin, 'action' | 'details'>): DetailLine[] {
  const { before, after, requestId, ...facts } = details
  const rest = action.startsWith('factor.') || action === 'session.opened' ? ofFactor(facts) : facts
  const changed = isRecord(before) || isRecord(after) ? changesOf(before, after) : []
  const single = !isRecord(before) && !isRecord(after) && (before !== undefined || after !== undefined)
  return [
    ...changed,
    ...(single ? [{ name: 'value', before: inWords(before), after: inWords(after) }] : []),
    ...linesOf(rest),
    ...(requestId === undefined ? [] : [requestLine(requestId)]),
  ].filter((line) => line.before !== line.after)
}

/** Whether a fact says nothing: no text, no number, an empty list. */
function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  )
}

/** How the kinds of second factors are called (`FactorKind`). */
const factorKinds: Record<string, string> = {
  passkey: 'passkey',
  totp: 'authenticator app',
  recovery: 'recovery code',
}

/** The facts of a second factor: `kind`, `left` and `totp` say too little by themselves. */
function ofFactor({ kind, left, totp, factor = kind, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...rest,
    ...(factor === undefined ? {} : { factor: typeof factor === 'string' ? (factorKinds[factor] ?? factor) : factor }),
    ...(left === undefined ? {} : { 'codes left': left }),
    ...(totp === undefined ? {} : { 'authenticator app': totp }),
  }
}

/** How much of a request's id is shown: enough to tell it from others, and to find its line in the log. */
const shownOfRequest = 8

function requestLine(id: unknown): DetailLine {
  const whole = inWords(id)
  const after = whole.slice(0, shownOfRequest)
  return { name: 'request', after, ...(after === whole ? {} : { title: whole }) }
}

function linesOf(facts: Record<string, unknown>, within = ''): DetailLine[] {
  return Object.entries(facts).flatMap(([key, value]): DetailLine[] => {
    if (isEmpty(value)) return []
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

/** Facts whose names say too little. */
const factNames: Record<string, string> = { address: 'network', times: 'how often', lastAt: 'last time' }

/** 'isFirstValue' is 'is first value'. */
function nameInWords(key: string): string {
  const name = factNames[key]
  if (name !== undefined) return name
  return key.replaceAll('_', ' ').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

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
  if (typeof value === 'string') return instant.test(value) ? timeInWords(value) : value
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return Object.entries(value as Record<string, unknown>)
    .map(([key, one]) => `${nameInWords(key)} ${textOf(one)}`)
    .join(', ')
}
