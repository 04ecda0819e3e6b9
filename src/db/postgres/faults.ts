/** The kinds of fault that the error of a statement can reveal. */
export type Fault =
  /** The connection, or the server behind it, is of no further use. */
  | 'broken'
  /** The server's disk has no room left. Only this statement was refused. */
  | 'disk-full'
  /** The statement took longer, or waited longer for a lock, than the connection allows. */
  | 'too-slow'

/** The connection is gone, or the server ends or starts. */
const lostStates = /^(08...|57P0[1-5])$/

/**
 * The server has said no: it has no room for a connection, is out of memory, has waited too long for the next statement,
 * or can only be read since another one took its place. Another connection, later, may have what this one has not.
 */
const refusedStates = /^(53...|25P03|25006)$/

const diskFullState = '53100'

/** Codes of sockets and of name resolution. */
const brokenCodes: ReadonlySet<string> = new Set([
  'EAI_AGAIN',
  'EAI_FAIL',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** The driver says these without a code. */
const brokenMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying|timeout expired|Query read timeout|Postgres connection has been discarded)/

/** @returns undefined for an error of the statement itself */
export function faultOf(error: unknown): Fault | undefined {
  const { code, message, severity } = (error ?? {}) as { code?: unknown; message?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    if (code === '57014' || code === '55P03') return 'too-slow'
    // PostgreSQL ends when it cannot write its own log.
    if (code === diskFullState && severity !== 'FATAL' && severity !== 'PANIC') return 'disk-full'
    if (lostStates.test(code) || refusedStates.test(code) || brokenCodes.has(code)) return 'broken'
  }
  return typeof message === 'string' && brokenMessages.test(message) ? 'broken' : undefined
}

/** Whether the server itself has said that the statement was not done, whatever becomes of the connection. */
export function isRefusal(error: unknown): boolean {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof code === 'string' && refusedStates.test(code) && severity !== 'PANIC'
}

/** PostgreSQL is there and has no connection left for this one. */
export function isCrowded(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '53300'
}

export function reasonOf(error: unknown): string {
  // Several addresses of one host were tried: the error of all of them has no words of its own.
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ')
  return error instanceof Error ? error.message : String(error)
}

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|--.*/g, ' ')

/** Whether a statement outside of transactions changes nothing and asks for rows. */
export function isRead(text: string): boolean {
  return /^[\s(]*(select|with)\b/i.test(withoutComments(text)) && !mayHaveWritten(text, false)
}

/** Whether a statement that got no answer may have changed something. */
export function mayHaveWritten(text: string, isInTransaction: boolean): boolean {
  const statement = withoutComments(text)
  const [verb = ''] = /\w+/.exec(statement.toLowerCase()) ?? []
  // Without its commit, a transaction has written nothing.
  if (isInTransaction) return verb === 'commit'
  if (verb === 'with') return /\b(insert|update|delete|merge)\b/i.test(statement)
  return !['begin', 'rollback', 'select', 'set', 'show', 'start'].includes(verb)
}
