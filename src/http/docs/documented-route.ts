import { defaultMaxBodyBytes, type Route } from '../route.ts'

export type DocumentedRoute = Omit<Route<unknown, unknown>, 'handle' | 'peek'>

/** The routes of one feature, under its name. */
export interface RouteGroup {
  name: string
  description: string
  routes: readonly DocumentedRoute[]
}

/** In the order of paths, then of methods: the same on every machine. */
export function sortedRoutes(routes: readonly DocumentedRoute[]): DocumentedRoute[] {
  const key = ({ path, method }: DocumentedRoute): string => `${path} ${method}`
  return [...routes].sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

export function readsBody({ body, described }: DocumentedRoute): boolean {
  return body !== undefined || described?.body !== undefined
}

/** The largest body in words; nothing for a route that takes none. */
export function bodyLimitOf({ method, maxBodyBytes = defaultMaxBodyBytes }: DocumentedRoute): string | undefined {
  if (method === 'GET') return undefined
  return maxBodyBytes < 1024 * 1024 ? `${maxBodyBytes / 1024} KiB` : `${maxBodyBytes / (1024 * 1024)} MiB`
}

export function keysOf({ access, needsClientKey, needsAdminKey }: DocumentedRoute): string[] {
  return [
    ...(access === 'anyone' ? [] : ['authorization']),
    ...(needsClientKey === true ? ['api-key'] : []),
    ...(needsAdminKey === true ? ['admin-key'] : []),
  ]
}
