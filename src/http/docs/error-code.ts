import type { ErrorKind } from '../../platform/errors.ts'

/** A code of the errors that callers meet, with all kinds that share it. */
export interface ErrorCode extends Pick<ErrorKind, 'code' | 'members' | 'remedy' | 'isOfCommand'> {
  /** More than one where the case decides. */
  status: number | readonly number[]
  sentences: readonly string[]
}

/** In the order of the alphabet. */
export function errorCodesOf(kinds: readonly ErrorKind[]): ErrorCode[] {
  const byCode = [...Map.groupBy(kinds, ({ code }) => code)].sort(([a], [b]) => (a < b ? -1 : 1))
  return byCode.map(([code, ofCode]) => {
    const members = Object.assign({}, ...ofCode.map((kind) => kind.members)) as Record<string, string>
    const all = <Value>(of: (kind: ErrorKind) => Value) => [...new Set(ofCode.map(of))].sort((a, b) => (a < b ? -1 : 1))
    return {
      code,
      status: all((kind) => kind.status),
      sentences: all((kind) => kind.sentence),
      ...(Object.keys(members).length === 0 ? {} : { members }),
      remedy: all((kind) => kind.remedy).join(' '),
      ...(ofCode.every(({ isOfCommand }) => isOfCommand === true) ? { isOfCommand: true } : {}),
    }
  })
}
