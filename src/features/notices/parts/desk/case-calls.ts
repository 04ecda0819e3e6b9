import * as z from 'zod/mini'
import { type AnswerSchema, ApiError, request } from '../../../../browser/api-client.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { NoticeForDesk } from '../../desk/desk-schema.ts'
import { noticePath } from './notice-paths.ts'

/** The notice of this page, and the page's reactions to changes of it. */
export interface CaseOnDesk {
  notice: NoticeForDesk
  /** The email of the administrator, whose drafts are kept apart. */
  whose: string
  /** The new state, by this page or because somebody else was first. */
  onChanged: (changed: NoticeForDesk) => void
  /** It cannot be seen any more. */
  onGone: () => void
  /** The change has hidden the notice from this administrator. */
  onHandedOn: () => void
  /** Shows the result at the top of the page. */
  onDone: (sentence: string) => void
}

const Overtaken = z.object({ current: NoticeForDesk })

/** The notice as it is now, where a refusal tells that somebody else was first. */
export function currentIn({ status, data }: ApiError): NoticeForDesk | undefined {
  const overtaken = Overtaken.safeParse(data)
  return status === 409 && overtaken.success ? overtaken.data.current : undefined
}

/**
 * A call about a notice, in the version that the page shows. After a conflict the page shows the current notice and
 * keeps the typed text.
 * @throws {ApiError}
 */
export async function callOnCase<T>(
  { notice: { reference, version }, onChanged, onGone }: Pick<CaseOnDesk, 'notice' | 'onChanged' | 'onGone'>,
  verb: string,
  schema: AnswerSchema<T>,
  body: Record<string, unknown> = {},
): Promise<T> {
  try {
    return await request(noticePath(reference, verb), schema, { method: 'POST', body: { ...body, version } })
  } catch (error) {
    if (error instanceof ApiError) {
      recheckAccess(error)
      const current = currentIn(error)
      if (current !== undefined) onChanged(current)
      if (error.status === 404 && codeOf(error) === 'notice.not_found') onGone()
    }
    throw error
  }
}

function codeOf({ data }: ApiError): unknown {
  return typeof data === 'object' && data !== null && 'code' in data ? data.code : undefined
}

/**
 * The same for a call that changes it.
 * @returns the notice as it is then; undefined where it is a matter of others
 * @throws {ApiError}
 */
export async function changeCase(
  desk: Omit<CaseOnDesk, 'whose' | 'onDone'>,
  verb: string,
  body?: Record<string, unknown>,
): Promise<NoticeForDesk | undefined> {
  const changed = await callOnCase(desk, verb, z.optional(NoticeForDesk), body)
  if (changed === undefined) desk.onHandedOn()
  else desk.onChanged(changed)
  return changed
}

/** How far somebody has read a notice: which version, and how many of its events. */
export interface Seen {
  version: number
  events: number
}

export function seenOf({ version, events }: Pick<NoticeForDesk, 'version' | 'events'>): Seen {
  return { version, events: events.length }
}

/** The events since then, in their order; undefined while the version is the same. */
export function happenedSince(
  { version, events }: Pick<NoticeForDesk, 'version' | 'events'>,
  seen: Seen,
): NoticeForDesk['events'] | undefined {
  return version === seen.version ? undefined : events.slice(seen.events)
}
