import { siteClientKey } from '../../../../browser/client-key.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import { contentTypes, type ContentType } from '../../item/content-type.ts'
import { decodePayload } from '../../item/encoding.ts'
import { type ItemRow, type ListedRow, rowOf, withMarks } from '../../item/listing.ts'
import { searchParameters } from '../../search/listing-address.ts'
import { type CallSearch, ListError, type LoadedPage, type SiteListQuery } from './list-query.ts'

/** Nobody is named: the answer is everybody's, and the browser may keep it. */
export const callAsVisitor: CallSearch = async (path, signal) => {
  const headers = { 'api-key': siteClientKey() ?? '' }
  const response = await fetch(path, { headers, signal }).catch(refuse('Invalid server response'))
  if (!response.ok) throw new ListError('Invalid server response', { cause: response.status })
  return response.json().catch(refuse('Invalid server response'))
}

/**
 * One page of a list from the HTTP interface.
 * @throws {ListError} when there is no answer or it is not a list; logged to the console as well
 */
export async function requestPage(
  { site, shelf, filters }: SiteListQuery,
  page: number,
  signal: AbortSignal,
  callSearch = callAsVisitor,
): Promise<LoadedPage> {
  try {
    const path = `/universal-search/search?${searchParameters(shelf, filters, page)}`
    const body = await callSearch(path, signal)
    if (!isRecord(body) || typeof body['data'] !== 'string') throw new ListError('Invalid server response')
    const read = readPage(body['data'], site.timeZone)
    // Reading and showing are two tasks: between them the browser can answer a tap.
    await new Promise((resolve) => setTimeout(resolve))
    return read
  } catch (error) {
    // A superseded query is no error.
    if (!signal.aborted)
      console.error(error instanceof ListError ? error.message : 'Invalid data received from API', error)
    throw error
  }
}

function refuse(message: string): (cause: unknown) => never {
  return (cause) => {
    throw new ListError(message, { cause })
  }
}

/**
 * A page out of its encoded payload.
 * @throws {ListError} when it is not one
 */
export function readPage(encoded: string, timeZone: string): LoadedPage {
  let payload: unknown
  try {
    payload = decodePayload(encoded)
  } catch (cause) {
    throw new ListError('Invalid data received from API', { cause })
  }
  if (!isRecord(payload) || !Array.isArray(payload['data'])) throw new ListError('Invalid data received from API')
  const { data, nearest, didYouMean, page, totalPages, total, marks } = payload
  const rows = data.map((item: unknown) => readRow(item, timeZone))
  if (Array.isArray(marks)) withMarks(rows, marks)
  return {
    rows,
    nearest: Array.isArray(nearest) ? nearest.map((item: unknown) => readRow(item, timeZone)) : [],
    ...(Array.isArray(didYouMean) ? { didYouMean } : {}),
    page: typeof page === 'number' ? page : 1,
    totalPages: typeof totalPages === 'number' ? totalPages : 0,
    total: typeof total === 'number' ? total : rows.length,
  }
}

function readRow(item: unknown, timeZone: string): ItemRow {
  if (!isRecord(item) || typeof item['name'] !== 'string' || typeof item['slug'] !== 'string') {
    throw new ListError('Invalid data received from API')
  }
  const listed = item as Record<string, unknown> & ListedRow
  const postedAt = Date.parse(String(listed['postDate'] ?? listed['createdAt']))
  const row = rowOf(listed, Number.isNaN(postedAt) ? '' : dayOf(postedAt, timeZone))
  if (typeof row.category !== 'string') row.category = ''
  if (!isContentType(row.contentType)) row.contentType = 'asian'
  if (listed['vipFirst'] === true) row.vipFirst = true
  return row
}

function isContentType(value: unknown): value is ContentType {
  return contentTypes.some((each) => each === value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
