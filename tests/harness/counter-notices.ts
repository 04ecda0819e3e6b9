import type { App } from '../../src/app/app.ts'
import { readReported } from '../../src/features/catalogue/removal/match-reported.server.ts'
import {
  type CounterNoticeFields,
  fileCounterNotice,
} from '../../src/features/notices/desk/file-counter-notice.server.ts'

interface Filed {
  slugs: readonly string[]
  email?: string
  fields?: Partial<CounterNoticeFields>
  /** Whether an email address was typed that gets the receipt. */
  isAnswered?: boolean
}

/** Files a counter-notice as the form does. @returns its id; undefined where it answers nothing */
export async function fileCounterNoticeTo(
  app: App,
  reference: string,
  { slugs, email = 'otto@library.example', fields: given = {}, isAnswered = true }: Filed,
): Promise<string | undefined> {
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
  return app.db.transaction().execute((trx) => fileCounterNotice(app, trx, { reference, reported, fields, isAnswered }))
}

/** The same where it answers something. */
export async function aCounterNoticeTo(
  app: App,
  reference: string,
  filed: Filed,
): Promise<{ counterNoticeId: string }> {
  const counterNoticeId = await fileCounterNoticeTo(app, reference, filed)
  if (counterNoticeId === undefined) throw new Error('The counter-notice answers nothing.')
  return { counterNoticeId }
}
