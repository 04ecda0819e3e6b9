import { useEffect } from 'react'
import { type AnswerSchema, type ApiError, requestPart } from '../../../browser/api-client.ts'
import { type KeysetOptions, type ListPart, useKeysetPages } from '../../../browser/keyset-pages.ts'
import { type ApiPages, type ApiQuery, type ApiQueryOptions, fetches, useApiQuery } from '../../../browser/queries.ts'
import { checkAccess } from '../viewer/load-profile.ts'

/** The answer of a route for administrators. A refusal (403) has the caller's roles checked, which closes the page. */
export function useAdminQuery<T>(
  path: string,
  schema: AnswerSchema<T>,
  options: Pick<ApiQueryOptions<T>, 'keepsPrevious' | 'isForgotten' | 'refetchAfterMs' | 'isEnabled'> = {},
): ApiQuery<T> {
  return useGuarded(useApiQuery({ ...fetches(path, schema), ...options }))
}

/** The same for a part of a list whose whole length stands in a header; the part before stays until the next has come. */
export function useAdminListQuery<T>(path: string, schema: AnswerSchema<T>): ApiQuery<{ part: T; total: number }> {
  return useGuarded(
    useApiQuery({
      path,
      fetch: (token, signal) => requestPart(path, schema, { token, signal }),
      keepsPrevious: true,
    }),
  )
}

/** The same for a list that is loaded part by part. */
export function useAdminPages<T extends ListPart>(
  path: string,
  schema: AnswerSchema<T>,
  options?: KeysetOptions,
): ApiPages<T> {
  return useGuarded(useKeysetPages(path, schema, options))
}

function useGuarded<Query extends { error: ApiError | undefined }>(query: Query): Query {
  const isForbidden = query.error?.status === 403
  useEffect(() => {
    if (isForbidden) void checkAccess()
  }, [isForbidden])
  return query
}

/** The same for a call that changes something: its `onError`. */
export function recheckAccess({ status }: ApiError): void {
  if (status === 403) void checkAccess()
}
