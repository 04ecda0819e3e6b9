import { type AnswerSchema, request } from './api-client.ts'
import { type ApiPages, useApiPages } from './queries.ts'

/** The common fields of a part of a list. */
export interface ListPart {
  /** The parameter of the next part; null at the end of the list. */
  next: string | number | null
}

export interface KeysetOptions {
  /** The parameter that `next` is sent in: `before` in lists that begin with the latest. */
  parameter?: 'after' | 'before'
  /** Shows the list that was asked for before while this one is. */
  keepsPrevious?: boolean
}

/** A list of the API whose parts follow one another by the `next` of each answer; `ui/load-more.tsx` goes on in it. */
export function useKeysetPages<T extends ListPart>(
  path: string,
  schema: AnswerSchema<T>,
  { parameter = 'after', keepsPrevious = false }: KeysetOptions = {},
): ApiPages<T> {
  return useApiPages<T, string | number>({
    path,
    keepsPrevious,
    fetch(next, token, signal) {
      const address = next === undefined ? path : withParameter(path, parameter, String(next))
      return request(address, schema, { token, signal })
    },
    nextAfter: ({ next }) => next ?? undefined,
  })
}

function withParameter(path: string, name: string, value: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value }).toString()}`
}
