import { withoutSending } from '../../../platform/email/mail.ts'
import { demoAdministratorAsViewer } from '../../accounts/demo/fill-demo-accounts.server.ts'
import { anonymous, type Viewer } from '../../office/viewer/viewer.ts'
import type { NoticesApp } from '../app.ts'
import { decideNotice } from '../desk/decide-notice.server.ts'
import { sendCounterNotice } from '../desk/file-counter-notice.server.ts'
import { sendNotice } from '../intake/send-notice.server.ts'
import type { NoticeForm } from '../intake/notice-forms.ts'
import type { Typed } from '../intake/typed-notice.ts'

/** The entries that the demo's notices are about, by their slugs. */
export interface NoticedEntries {
  open: string
  kept: string
  removed: string
}

const senders = { first: 'otto@neighbours.example', second: 'marlene@estate.example' } as const

/** A network reserved for documentation (RFC 5737). */
const address = '192.0.2.21'

/**
 * Sends the demo's three notices, each once, and decides two of them: one waits, one was decided, and one has taken an
 * entry off the site, which a counter-notice answers. Nobody is mailed. Does nothing where the entries are not on the
 * site, because a second person has to verify them first.
 */
export async function fillDemoNotices(app: NoticesApp, entries: NoticedEntries): Promise<void> {
  // A start that was cut short may have taken one of them off already.
  if ((await findSent(app, senders.first)) === undefined) {
    const published = await app.listing.readNamesBySlug(Object.values(entries), anonymous)
    if (published.size < Object.keys(entries).length) return
  }
  const quiet: NoticesApp = { ...app, mail: withoutSending(app.mail) }
  const administrator = await demoAdministratorAsViewer(app)
  const pageOf = (slug: string): string => `${app.config.publicUrl}/western/${slug}`

  await send(quiet, 'other', {
    name: 'Otto Neighbour',
    email: senders.first,
    itemUrls: pageOf(entries.kept),
    explanation: 'The chapter about Rome insults people who can still be recognised.',
    lawCited: '§ 185 of the German Criminal Code',
    goodFaith: 'on',
    accuracy: 'on',
  })
  await decide(quiet, administrator, senders.first, {
    outcome: 'keep',
    ground: 'illegal',
    legalGround: '§ 185 of the German Criminal Code',
    facts: 'The story appeared in 1878. Its author died in 1916, and nobody whom it could be about is alive.',
    explanation: 'A story of its time does not insult anybody who lives. The entry stays.',
  })

  await send(quiet, 'copyright', {
    ...copyrightOf('Marlene Estate', senders.second),
    workDescription: 'A translation of 1962, by Marlene Estate.',
    itemUrls: pageOf(entries.removed),
  })
  await decide(quiet, administrator, senders.second, {
    outcome: 'remove',
    ground: 'illegal',
    legalGround: '17 U.S.C. 512(c)',
    facts: 'The linked text is said to be a translation of 1962, which is protected.',
    explanation: 'As long as nobody shows that the text is another one, it cannot stay.',
  })
  const answered = await findSent(app, senders.second)
  if (answered !== undefined && !(await hasCounter(app, answered.id))) {
    await sendCounterNotice(quiet, {
      address,
      typed: {
        reference: answered.reference,
        itemUrls: pageOf(entries.removed),
        explanation: 'The notice confuses two translations. The one that was here is of 1891 and in the public domain.',
        name: 'Paula Publisher',
        address: '12 Binding Lane, Boston, MA 02108, USA',
        phone: '+1 555 0142',
        email: 'paula@publishers.example',
        perjury: 'on',
        jurisdiction: 'on',
        signature: 'Paula Publisher',
      },
    })
  }

  await send(quiet, 'copyright', {
    ...copyrightOf('Henry Heir', 'henry@heirs.example'),
    address: '8 Mill Lane, Cambridge CB2 1RX, United Kingdom',
    phone: '+44 1223 496 0117',
    workDescription: 'The foreword that my grandfather wrote for the edition of 1958.',
    itemUrls: pageOf(entries.open),
  })
}

function copyrightOf(name: string, email: string): Typed & { email: string } {
  return {
    name,
    email,
    address: '3 Letter Street, London N1 9GU, United Kingdom',
    phone: '+44 20 7946 0321',
    goodFaith: 'on',
    accuracy: 'on',
    perjury: 'on',
    signature: name,
  }
}

/** A sender whose notice is there already sends no second one. */
async function send(app: NoticesApp, form: NoticeForm, typed: Typed & { email: string }): Promise<void> {
  if ((await findSent(app, typed.email)) === undefined) await sendNotice(app, { form, typed, address })
}

function findSent({ db }: Pick<NoticesApp, 'db'>, email: string) {
  return db
    .selectFrom('notices')
    .select(['id', 'reference', 'version', 'outcome'])
    .where('email', '=', email)
    .executeTakeFirst()
}

async function hasCounter({ db }: Pick<NoticesApp, 'db'>, noticeId: string): Promise<boolean> {
  const counter = await db
    .selectFrom('counter_notices')
    .select('id')
    .where('notice_id', '=', noticeId)
    .executeTakeFirst()
  return counter !== undefined
}

/** One that was decided before stays as it is. */
async function decide(
  app: NoticesApp,
  viewer: Viewer,
  email: string,
  decision: Parameters<typeof decideNotice>[2]['decision'],
): Promise<void> {
  const notice = await findSent(app, email)
  if (notice === undefined || notice.outcome !== null) return
  const { reference, version } = notice
  await decideNotice(app, viewer, { reference, version, decision })
}
