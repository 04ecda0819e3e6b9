import { expect, test } from 'vitest'
import { eventInWords } from './event-in-words.ts'
import type { NoticeEventInput } from '../notice/notice-event.ts'

const ada = { kind: 'administrator', name: 'Ada Admin' } as const
const nobody = { kind: 'administrator', name: null } as const
const sender = { kind: 'sender' } as const
const site = { kind: 'system' } as const

test.each<[NoticeEventInput, Parameters<typeof eventInWords>[1]['by'], string]>([
  [{ type: 'received', kind: 'privacy', missing: [] }, sender, "The notice came in as 'Personal data'."],
  [
    { type: 'received', kind: 'copyright', missing: ['signature', 'phone'] },
    sender,
    "The notice came in as 'Copyright'. Missing: your signature, your telephone number.",
  ],
  [{ type: 'answered', missing: [] }, sender, 'The sender added information. Still missing: nothing.'],
  [
    { type: 'received', kind: 'child-safety', missing: [], isWithheld: true },
    sender,
    "The notice came in as 'Child at risk'. Too many came at once: its entries stay as they were.",
  ],
  [{ type: 'hidden', items: ['a', 'b'] }, ada, 'Ada Admin hid 2 entries.'],
  [{ type: 'completed' }, sender, 'The sender added what was missing.'],
  [{ type: 'asked', missing: ['signature'], message: 'x' }, ada, 'Ada Admin asked for: your signature.'],
  [{ type: 'reviewed' }, nobody, 'A former administrator began the review.'],
  [
    { type: 'reclassified', kind: 'other', missing: [] },
    ada,
    "Ada Admin changed the kind to 'Something else illegal'.",
  ],
  [{ type: 'entries-changed', added: 'x' }, ada, 'Ada Admin added an address: x'],
  [{ type: 'entries-changed', removed: 'x' }, ada, 'Ada Admin removed an address from the notice: x'],
  [{ type: 'marked-duplicate', of: 'id' }, ada, 'Ada Admin marked it as a duplicate of N-0000-0000.'],
  [
    { type: 'joined', duplicate: 'id', added: [], hides: false },
    ada,
    'Ada Admin marked N-0000-0000 as a duplicate of this one.',
  ],
  [{ type: 'withdrawn' }, sender, 'The sender withdrew the notice.'],
  [{ type: 'decided', decisionId: 'd', outcome: 'remove' }, site, 'The site decided to remove.'],
  [
    { type: 'reversed', decisionId: 'd', outcome: 'keep' },
    ada,
    'Ada Admin made a new decision, to keep, in place of the one before.',
  ],
  [{ type: 'appealed', appealId: 'a' }, sender, 'The sender appealed.'],
  [
    { type: 'appeal-answered', appealId: 'a', decisionId: null, outcome: 'keep' },
    ada,
    'Ada Admin answered the appeal: the decision stays.',
  ],
  [
    { type: 'appeal-answered', appealId: 'a', decisionId: 'd', outcome: 'remove' },
    ada,
    'Ada Admin answered the appeal with a new decision, to remove.',
  ],
  [{ type: 'counter-received', counterNoticeId: 'c' }, sender, 'A counter-notice came in.'],
  [
    { type: 'counter-accepted', counterNoticeId: 'c', receivedAt: '' },
    ada,
    'Ada Admin accepted a counter-notice, and it was forwarded to the sender.',
  ],
  [
    { type: 'counter-refused', counterNoticeId: 'c', reasons: 'It is not yours.' },
    ada,
    'Ada Admin refused a counter-notice: It is not yours.',
  ],
  [
    { type: 'action-notified', counterNoticeId: 'c', note: 'A letter.' },
    ada,
    'Ada Admin noted a court action: A letter.',
  ],
  [
    { type: 'restored', counterNoticeId: 'c', decisionId: 'd', outcome: 'keep', overtakes: [] },
    site,
    'The site made a new decision and ended the removal that a counter-notice answers: nobody told us about a court action in time.',
  ],
  [{ type: 'hidden', clock: 'hide', items: ['a', 'b'] }, site, 'The site hid 2 entries: its deadline had come.'],
  [{ type: 'overdue', clock: 'decide' }, site, 'The deadline for a decision passed.'],
  [{ type: 'closed' }, ada, 'Ada Admin closed the notice.'],
])('%j', (event, by, sentence) => {
  expect(eventInWords(event, { by, kind: 'copyright', references: new Map([['id', 'N-0000-0000']]) })).toBe(sentence)
})
