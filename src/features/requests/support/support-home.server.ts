import { counted } from '../../../platform/counted.ts'
import { countedToThousand, moreToThousand, upToThousand } from '../../../platform/counted-to-thousand.ts'
import type { HomeRow, Problem, Waiting } from '../../office/contributions.ts'
import type { RequestsApp } from '../app.ts'
import { countOpenInquiries, findRefusedInquiry, findStuckInquiries, readInquiries } from './answer-inquiry.server.ts'

const shownInquiries = 4
const shownCharacters = 140

/** Inquiries that nobody has answered yet; those of VIPs first. */
export async function readWaitingInquiries(app: Pick<RequestsApp, 'db'>): Promise<Waiting | undefined> {
  const { all, ofVips } = await countOpenInquiries(app)
  if (all === 0) return undefined
  const vips = ofVips === 0 ? '' : `, ${upToThousand(ofVips).toLowerCase()} of VIPs`
  return {
    group: 'inquiries',
    sentence: `${countedToThousand(all, 'inquiry', 'inquiries')} to answer${vips}`,
    count: all,
    verb: 'Answer',
    to: '/admin/support',
    rows: () => readRows(app, all),
  }
}

async function readRows(app: Pick<RequestsApp, 'db'>, all: number): Promise<HomeRow[]> {
  const open = (await readInquiries(app, { state: 'open' })).inquiries
  const to = '/admin/support'
  const shown = open.slice(0, shownInquiries).map(({ isVip, name, email, message, createdAt }) => ({
    sentence: isVip ? 'Inquiry from a VIP' : 'Inquiry',
    facts: name === '' ? email : name,
    line: `“${shortened(message)}”`,
    since: new Date(createdAt),
    verb: 'Answer',
    to,
  }))
  const things = all - shown.length
  if (things <= 0) return shown
  const sentence = `${moreToThousand(all, shown.length, 'inquiry', 'inquiries')} to answer`
  return [...shown, { sentence, things, verb: 'Answer', to }]
}

function shortened(message: string): string {
  const characters = [...message.replaceAll(/\s+/g, ' ').trim()]
  return characters.length > shownCharacters
    ? `${characters.slice(0, shownCharacters).join('').trimEnd()} …`
    : characters.join('')
}

export async function readStuckInquiries(app: Pick<RequestsApp, 'db' | 'clock'>): Promise<Problem[]> {
  const stuck = await findStuckInquiries(app)
  if (stuck === undefined) return []
  const sentence = `${counted(stuck.count, 'inquiry', 'inquiries')} could not be given to the form service of SUPPORT_FORM_URL yet.`
  return [{ sentence, since: stuck.since }]
}

export async function readRefusedInquiries(app: Pick<RequestsApp, 'db'>): Promise<Problem[]> {
  const refused = await findRefusedInquiry(app)
  if (refused === undefined) return []
  const sentence = `The form service refuses inquiries (${refused.status}).`
  return [{ sentence, since: refused.since, to: '/admin/support' }]
}
