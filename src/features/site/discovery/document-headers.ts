/**
 * The headers of a public document. A cache asks again after half a minute, so that a removal is gone everywhere within a whole one.
 * @param changedAt when its sources last changed, in milliseconds since 1970
 */
export function documentHeaders(changedAt?: number): Record<string, string> {
  return {
    'cache-control': 'public, max-age=30',
    ...(changedAt === undefined ? {} : { 'last-modified': new Date(changedAt).toUTCString() }),
  }
}
