import { type AnswerSchema, type Call, request } from '../../../browser/api-client.ts'
import { current } from '../../../browser/session-store.ts'
import { knownProfile } from '../viewer/known-profile.ts'
import { loadProfile } from '../viewer/load-profile.ts'

/**
 * A write of an administrator, with the key that comes with their profile (docs/spec/access.md#keys).
 * @throws {ApiError}
 */
export async function requestAsAdmin<T>(path: string, schema: AnswerSchema<T>, call: Call = {}): Promise<T> {
  const token = current().session?.token
  const known = knownProfile(token)?.profile
  // A session that goes on under another token has another key.
  const profile = token === undefined || known?.adminKey !== undefined ? known : await loadProfile(token)
  return request(path, schema, {
    ...call,
    ...(token === undefined ? {} : { token }),
    ...(profile?.adminKey === undefined ? {} : { adminKey: profile.adminKey }),
  })
}
