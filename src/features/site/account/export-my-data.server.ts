import { limitDataExport } from '../../accounts/sign-in/account-limits.server.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import type { RequestsApp } from '../../requests/app.ts'
import { features } from '../features.server.ts'

/**
 * Everything that the site keeps of the caller, to take along: the parts of all features, in their order.
 * @throws {AppError} `limit.exceeded`, 429; `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function exportMyData(app: RequestsApp, viewer: Viewer): Promise<Record<string, unknown>> {
  await limitDataExport(app, requireMember(viewer).id)
  const file: Record<string, unknown> = { exportedAt: new Date(app.clock.now()).toISOString() }
  for (const { name, read } of features.flatMap(({ dataExport = [] }) => dataExport))
    file[name] = await read(app, viewer)
  return file
}
