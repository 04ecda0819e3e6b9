import type { App } from '../../src/app/app.ts'
import { readReported } from '../../src/features/catalogue/removal/match-reported.server.ts'
import {
  type CounterNoticeFields,
  fileCounterNotice,
} from '../../src/features/notices/desk/file-counter-notice.server.ts'

/** A counter-notice as the form takes it in. */
export async function aCounterNoticeTo(
  app: App,
  reference: string,
  {
    slugs,
    email = 'otto@library.example',
    fields: given = {},
  }: { slugs: readonly string[]; email?: string; fields?: Partial<CounterNoticeFields> },
): Promise<{ counterNoticeId: string }> {
  const reported = await readReported(
    app,
    slugs.map((slug) => `/western/${slug}`),
  )
  const fields = {
    name: 'Otto Operator',
    address: '2 Library Lane',
    phone: '+1 555 0199',
    email,
    explanation: 'The author died in 1900.',
    signature: 'Otto Operator',
    ...given,
  }
  const counterNoticeId = await app.db
    .transaction()
    .execute((trx) => fileCounterNotice(app, trx, { reference, reported, fields, isAnswered: true }))
  if (counterNoticeId === undefined) throw new Error('The counter-notice answers nothing.')
  return { counterNoticeId }
}
