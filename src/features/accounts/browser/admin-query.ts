import { useEffect } from 'react'
import type { AnswerSchema, ApiError } from '../../../browser/api-client.ts'
import { type ApiQuery, type ApiQueryOptions, fetches, useApiQuery } from '../../../browser/queries.ts'
import { checkAccess } from './load-profile.ts'

/** The answer of a route for administrators. A refusal (403) has the caller's roles checked, which closes the page. */
export function useAdminQuery<T>(
  path: string,
  schema: AnswerSchema<T>,
  options: Pick<ApiQueryOptions<T>, 'keepsPrevious' | 'refetchAfterMs' | 'isEnabled'> = {},
): ApiQuery<T> {
  const query = useApiQuery({ ...fetches(path, schema), ...options })
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
