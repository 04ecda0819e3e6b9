import { readReported } from '../../catalogue/removal/match-reported.server.ts'
import type { NoticesApp } from '../app.ts'
import { faultsOfCounterNotice } from '../intake/counter-notice-form.ts'
import { limitCounterNotices, mayAcknowledge } from '../intake/notice-limits.server.ts'
import { refuseFaults } from '../intake/send-notice.server.ts'
import { addressesIn, fieldsIn, type Typed } from '../intake/typed-notice.ts'
import { fileCounterNotice } from './file-counter-notice.server.ts'

/**
 * A counter-notice against a removal. Its caller does not learn whether there is such a notice.
 * @throws {AppError} `notice.invalid`, 422, with `faults`; `limit.exceeded`, 429
 */
export async function sendCounterNotice(
  app: NoticesApp,
  { typed, address }: { typed: Typed; address: string },
): Promise<void> {
  refuseFaults(faultsOfCounterNotice(typed))
  await limitCounterNotices(app, address)
  const { name, address: postal, phone, email, explanation, signature } = fieldsIn(typed)
  const isWhole = name !== null && postal !== null && phone !== null && explanation !== null && signature !== null
  if (!isWhole || email === null) throw new Error('A counter-notice without a fault lacks something.')
  const urls = addressesIn(typed.itemUrls ?? '')
  const fields = {
    name,
    address: postal,
    phone,
    email,
    // The law requires the place of the removed material, so the sender of the notice receives both.
    explanation: `${explanation}\n\nIt stood at:\n${urls.join('\n')}`,
    signature,
  }
  const isAnswered = await mayAcknowledge(app, email)
  const reported = await readReported(app, urls)
  const filed = { reference: (typed.reference ?? '').trim(), reported, fields, isAnswered }
  await app.db.transaction().execute((trx) => fileCounterNotice(app, trx, filed))
}
