import { useEffect } from 'react'
import type { AnswerSchema, ApiError } from '../../../../browser/api-client.ts'
import { type ApiQuery, type ApiQueryOptions, fetches, useApiQuery } from '../../../../browser/queries.ts'
import { checkAccess } from '../../../accounts/browser/load-profile.ts'

export const driftPath = '/api/billing/drift'

export function memberBillingPath(id: string): string {
  return `/api/billing/members/${encodeURIComponent(id)}`
}

/** One of the routes of administrators. Somebody who is no longer an administrator is refused. */
export function useBillingQuery<T>(
  path: string,
  schema: AnswerSchema<T>,
  options: Pick<ApiQueryOptions<T>, 'keepsPrevious'> = {},
): ApiQuery<T> {
  const query = useApiQuery({ ...fetches(path, schema), ...options })
  const isForbidden = query.error?.status === 403
  useEffect(() => {
    if (isForbidden) void checkAccess()
  }, [isForbidden])
  return query
}

/** After a call of an administrator that was refused: whether they still are one. */
export function recheckAccess({ status }: ApiError): void {
  if (status === 403) void checkAccess()
}
