import { namesGoneRow } from '../../../db/names-gone-row.ts'
import { invalidSession } from './recognise-session.server.ts'

/**
 * A write that names the caller's account or session, and nothing else.
 * @throws {AppError} `session.invalid`, 401, where it was deleted since the call came
 */
export async function whileSignedIn<T>(write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw namesGoneRow(error) ? invalidSession() : error
  }
}
