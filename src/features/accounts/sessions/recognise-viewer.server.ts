import type { AccountsApp } from '../app.ts'
import { anonymous, type RoleSource, type Viewer } from '../user/viewer.ts'
import { recogniseSession } from './recognise-session.server.ts'

/**
 * Who sends a request with this `Authorization` header, and in which roles: what every route's access goes by. A member
 * costs one query, an anonymous caller none.
 * @param sources of all features, in the order of the row
 * @throws {AppError} `session.invalid`, 401, for a bearer that no living session knows, also on public calls
 */
export async function recogniseViewer<A extends Pick<AccountsApp, 'db' | 'clock' | 'diskSpace'>>(
  app: A,
  authorization: string | undefined,
  sources: readonly RoleSource<A>[],
): Promise<Viewer> {
  const session = await recogniseSession(
    app,
    authorization,
    sources.map(({ facts }) => facts),
  )
  if (session === undefined) return anonymous
  const { member, facts } = session
  const roles = new Set(session.roles)
  const profile: Record<string, unknown> = {}
  for (const [index, source] of sources.entries()) {
    const found = source.rolesOf(app, member, facts[index])
    for (const role of found.roles) roles.add(role)
    Object.assign(profile, found.profile)
  }
  return { member, roles, profile }
}
