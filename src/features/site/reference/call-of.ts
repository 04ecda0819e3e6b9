import type { RouteReference } from './reference.ts'

/**
 * The address of a call.
 * @param typed the values by `path.name` and `query.name`; an empty one of a query is left out
 */
export function addressOf(
  path: string,
  parameters: RouteReference['parameters'],
  typed: Readonly<Record<string, string>>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(typed[`path.${name}`] ?? ''))
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: place }) => {
      const value = typed[`${place}.${name}`] ?? ''
      return place === 'query' && value !== '' ? [[name, value]] : []
    }),
  ).toString()
  return query === '' ? filled : `${filled}?${query}`
}

/** The JSON object of a body; undefined for none, null for a text that is none. */
export function bodyIn(text: string | undefined): Record<string, unknown> | undefined | null {
  if (text === undefined || text.trim() === '') return undefined
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : null
  } catch {
    return null
  }
}
