import type { IncomingMessage } from 'node:http'
import type { DiskSpace } from '../platform/disk-space.ts'
import type { AppConfig } from '../platform/config/config.ts'
import { isAppError } from '../platform/errors.ts'
import { hasBody, parseBody, readBody } from './body.ts'
import { refuseForeignOrigin } from './origin.ts'
import type { PageForm } from './pages/page.ts'
import type { SentForm } from './pages/page-visit.ts'

/**
 * Reads the form that was sent to a page. A refusal is the page's to tell: whoever sends a form looks at a browser, where
 * JSON would be no answer.
 * @throws what is no refusal, such as a body that breaks off
 */
export async function readForm(
  { config, diskSpace }: { config: AppConfig; diskSpace: DiskSpace },
  incoming: IncomingMessage,
  { maxBodyBytes }: PageForm,
): Promise<SentForm> {
  let isUnread = hasBody(incoming)
  try {
    refuseForeignOrigin(config, incoming)
    const body = await readBody(incoming, maxBodyBytes)
    isUnread = false
    // Whether it is one; the page reads the fields itself.
    parseBody(body, incoming.headers['content-type'], 'form')
    await diskSpace.refuseWhenFull()
    return { body }
  } catch (error) {
    if (isAppError(error)) return { refusal: error, isUnread }
    throw error
  }
}
