import type { AccountsApp } from '../app.ts'
import { anonymous, type RoleSource, type Viewer } from '../../office/viewer/viewer.ts'
import { composeRoles } from './compose-roles.server.ts'
import { recogniseSession } from './recognise-session.server.ts'

/**
 * The sender of a request with this `Authorization` header, with their roles: the base of every route's access. A
 * member costs one query, an anonymous caller none.
 * @param sources of all features, in the order of the row
 * @throws {AppError} `session.invalid`, 401, for a bearer that no living session knows, also on public calls
 */
export async function recogniseViewer<A extends Pick<AccountsApp, 'db' | 'clock' | 'config' | 'diskSpace'>>(
  app: A,
  authorization: string | undefined,
  sources: readonly RoleSource<A>[],
  options: { isUnattended?: boolean } = {},
): Promise<Viewer> {
  const session = await recogniseSession(
    app,
    authorization,
    sources.map(({ facts }) => facts),
    options,
  )
  return session === undefined ? anonymous : composeRoles(app, session, sources)
}
