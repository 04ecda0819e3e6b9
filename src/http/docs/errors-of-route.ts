import { proofOf, takesNoFields } from '../route.ts'
import { type DocumentedRoute, readsBody } from './documented-route.ts'

/** The errors of any route. An unknown bearer is refused on public routes, too. */
export const errorsEverywhere = [
  'database.busy',
  'database.unavailable',
  'disk.full',
  'host.unknown',
  'internal',
  'origin.foreign',
  'request.unreadable',
  'session.invalid',
] as const

export function isEverywhere(code: string): boolean {
  return errorsEverywhere.some((each) => each === code)
}

export const errorsOfBodies = ['body.json', 'body.too_large', 'body.type'] as const

/** The codes that follow from what a route declares, and its own, in the order of the alphabet; without those everywhere. */
export function errorsOfRoute(route: DocumentedRoute): string[] {
  const { access, method, invalid, query, body, bodyKind } = route
  const takesNone = takesNoFields(route)
  const codes = [
    ...(route.errors ?? []).map(({ code }) => code),
    ...(route.needsClientKey === true ? ['client.key'] : []),
    ...(access === 'anyone' ? [] : ['session.missing']),
    ...(access === 'vip' || access === 'admin' ? [`${access}.only`] : []),
    ...(access === 'admin' ? ['factor.required'] : []),
    ...(proofOf(route) === undefined ? [] : ['proof.needed']),
    ...(route.needsAdminKey === true ? ['admin.key'] : []),
    ...(method === 'GET' ? [] : ['body.too_large']),
    ...((readsBody(route) || takesNone) && bodyKind !== 'raw' ? ['body.type', 'body.json'] : []),
    ...(query === undefined && body === undefined && invalid === undefined ? [] : [invalid?.code ?? 'request.invalid']),
    ...(takesNone ? ['request.invalid'] : []),
    ...(route.rateLimit === undefined ? [] : ['limit.exceeded']),
    ...(route.caching === 'shared' && !('peek' in route) ? ['site.busy'] : []),
  ]
  return [...new Set(codes)].sort()
}
