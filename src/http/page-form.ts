import type { IncomingMessage } from 'node:http'
import type { HttpConfig } from './http-config.ts'
import type { DiskSpace } from '../platform/disk-space.ts'
import { type AppError, isAppError } from '../platform/errors.ts'
import { hasBody, readBody, refuseOtherType } from './body.ts'
import { readFields } from './form-fields.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { PageForm } from './pages/page.ts'
import type { SentForm } from './pages/page-visit.ts'

/** A form as it came, or why it was not taken, and then whether its body is unread. */
export type ReceivedForm = { body: Buffer; refusal?: undefined } | { refusal: AppError; isUnread: boolean }

/**
 * Receives the form that was sent to a page. A refusal is the page's to tell: whoever sends a form looks at a browser, where
 * JSON would be no answer.
 * @throws what is no refusal, such as a body that breaks off
 */
export async function receiveForm(
  { config, diskSpace }: { config: HttpConfig; diskSpace: DiskSpace },
  incoming: IncomingMessage,
  { maxBodyBytes, takesParts = false }: PageForm,
): Promise<ReceivedForm> {
  let isUnread = hasBody(incoming)
  try {
    refuseForeignOrigin(config, incoming)
    const body = await readBody(incoming, maxBodyBytes)
    isUnread = false
    const type = incoming.headers['content-type']
    const isInParts = takesParts && type?.startsWith('multipart/form-data') === true
    if (body.length > 0 && !isInParts) refuseOtherType(type, 'form')
    await diskSpace.refuseWhenFull()
    return { body }
  } catch (error) {
    if (isAppError(error)) return { refusal: error, isUnread }
    throw error
  }
}

/** Reads its fields, once; the page gets these. */
export function readForm(received: ReceivedForm, { fields }: PageForm): SentForm {
  if (received.refusal !== undefined) return { refusal: received.refusal }
  try {
    return { fields: readFields(received.body, fields) }
  } catch (error) {
    if (isAppError(error)) return { refusal: error }
    throw error
  }
}
