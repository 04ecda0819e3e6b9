import { expect, test } from 'vitest'
import {
  aClock,
  aCounterNotice,
  aDecision,
  aNotice,
  aNoticeInQueue,
  aReportedAddress,
  aReportedEntry,
} from '../../../../../tests/harness/desk-samples.ts'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { NoticeForDesk, NoticeInQueue } from '../../desk/desk-schema.ts'
import { CaseView } from './case-view.tsx'
import { DecisionPreviewed } from './decision-form.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { NoticeTable } from './notice-table.tsx'

const now = Date.parse('2024-03-15T12:00:00.000Z')
const nothing = (): void => undefined

function shown(notice: NoticeForDesk) {
  return rendered(
    <CaseView
      notice={notice}
      whose="ada@library.example"
      hostLabels={['Mega', 'Gofile', 'Pixeldrain']}
      now={now}
      answeredAt={now}
      onChanged={nothing}
      onGone={nothing}
      onHandedOn={nothing}
    />,
  )
}
const headings = (html: string): string[] => [...html.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text = '']) => text)

test('a new notice shows its deadlines, what was reported, who says it, and the form of a decision', () => {
  const { text, html } = shown(
    aNotice({
      clocks: [
        aClock({ dueAt: '2024-03-15T15:30:00.000Z' }),
        aClock({ name: 'hide', dueAt: '2024-03-13T12:00:00.000Z', isOverdue: true }),
      ],
    }),
  )
  expect(headings(html)).toEqual([
    'What was reported',
    'What the law asks',
    'In their words',
    'Sender',
    'Decide',
    'What happened',
  ])
  expect(text).toContain('3 h left First look')
  expect(text).toContain('Overdue by 2 days Automatic hiding')
  expect(text).toContain('It has not changed since it was reported.')
  expect(text).toContain('The English translation of 1987.')
  expect(text).toContain('1 Harbour Road, Portsmouth')
  for (const action of ['Begin review', 'Ask for information', 'More', 'Detach', 'Preview'])
    expect(text).toContain(action)
  // Nothing can be sent that was not read first.
  expect(text).not.toContain('Remove 1 entry')
})

test('a grave notice at whose addresses no entry was found says that nothing is hidden, as does its line in the queue', () => {
  const unfound = { kind: 'child-safety', isNothingFound: true } as const
  expect(shown(aNotice(unfound)).text).toContain('No address in this notice leads to an entry, so nothing is hidden.')
  expect(shown(aNotice()).text).not.toContain('nothing is hidden')
  const line = (notice: NoticeInQueue) =>
    rendered(
      <NoticeTable
        label="Waiting"
        notices={[notice]}
        searchOf={(sender) => sender}
        picked={new Set()}
        onPick={() => {}}
        isBusy={false}
        now={now}
      />,
    ).text
  expect(line(aNoticeInQueue({ ...unfound, item: null }))).toContain('Nothing hidden')
  expect(line(aNoticeInQueue())).not.toContain('Nothing hidden')
})

test('what has changed since the report stands side by side, and what is missing, gone or removed is said', () => {
  const { text } = shown(
    aNotice({
      addresses: [
        aReportedAddress({ id: 'a1', asItIs: aReportedEntry({ status: 'removed', name: 'Letters, revised' }) }),
        aReportedAddress({ id: 'a2', url: 'https://library.example/nowhere', asReported: null, asItIs: null }),
        aReportedAddress({ id: 'a3', asItIs: null }),
      ],
      elements: [{ name: 'signature', label: 'Your signature', isGiven: false }],
      sender: { name: null, organization: null, address: null, phone: null, email: null },
    }),
  )
  expect(text).toContain('3 addresses. 1 leads to no entry, 1 entry was deleted since.')
  expect(text).toContain('2 fields have changed since it was reported.')
  expect(text).toContain('Name Letters from a Lighthouse Letters, revised')
  expect(text).toContain('Status Published Removed')
  expect(text).toContain('The address leads to no entry of this site.')
  expect(text).toContain('The entry was deleted after it was reported.')
  expect(text).toContain('Signature Missing')
  expect(text).toContain('The sender gave no name and no contact details.')
})

test('a decided notice shows its decisions, the oldest first, with what they did, and offers another one', () => {
  const [item] = aDecision().items
  const { text, html } = shown(
    aNotice({
      status: 'decided',
      clocks: [],
      decisions: [
        aDecision(),
        aDecision({
          id: 'd2',
          outcome: 'keep',
          decidedBy: null,
          reverses: aDecision().id,
          items:
            item === undefined
              ? []
              : [
                  {
                    ...item,
                    wasReported: false,
                    effect: 'restricted',
                    reasons: [{ code: 'rights.expired', message: 'The rights ended.', remedy: 'Renew them.' }],
                  },
                ],
        }),
      ],
    }),
  )
  expect(headings(html)).not.toContain('Decide')
  expect(text.indexOf('Removed, because it is illegal Reversed')).toBeLessThan(text.indexOf('Kept In force'))
  expect(text).toContain('By the site itself, because its deadline had passed')
  expect(text).toContain('Not reported, but it has a link that was blocked. The rights ended. Renew them.')
  expect(text).toContain('Reverse or change this decision')
  expect(text).toContain('No deadline is running.')
})

const appeal = {
  state: 'open' as const,
  statement: 'It is not protected.',
  filedAt: '2024-03-16T09:00:00.000Z',
  answeredAt: null,
  isUpheld: null,
  answer: null,
}

test('an appeal comes first for whoever may answer it; others read why they may not', () => {
  const decided = { status: 'decided', decisions: [aDecision()] } as const
  const mine = shown(aNotice({ ...decided, decisions: [...decided.decisions], appeal: { ...appeal, mayAnswer: true } }))
  expect(headings(mine.html)[0]).toBe('An appeal is waiting')
  expect(mine.text).toContain('Send the answer')
  expect(mine.text).not.toContain('Reverse or change this decision')
  const others = shown(
    aNotice({ ...decided, decisions: [...decided.decisions], appeal: { ...appeal, mayAnswer: false } }),
  )
  expect(others.text).toContain('You made the decision under appeal')
  expect(others.text).not.toContain('Send the answer')
  const answered = shown(
    aNotice({
      ...decided,
      decisions: [...decided.decisions],
      appeal: {
        ...appeal,
        state: 'answered',
        answeredAt: '2024-03-17T09:00:00.000Z',
        isUpheld: true,
        answer: 'It stays protected.',
        mayAnswer: false,
      },
    }),
  )
  expect(answered.text).toContain('Answered: the decision stands')
  expect(answered.text).toContain('It stays protected.')
})

test('a counter-notice says what it names and when that comes back, and can be accepted or refused', () => {
  const { text, html } = shown(
    aNotice({ status: 'decided', decisions: [aDecision()], counterNotices: [aCounterNotice()] }),
  )
  expect(headings(html)[0]).toBe('A counter-notice is waiting')
  expect(text).toContain('restored on April 1, 2024')
  for (const label of ['Accept and forward', 'Refuse', 'Note a court action']) expect(text).toContain(label)
})

test('a counter-notice that a decision has overtaken waits for nothing', () => {
  const overtaken = aCounterNotice({
    state: 'overtaken',
    overtakenAt: '2024-03-17T09:00:00.000Z',
    restoreFrom: null,
    restoreUntil: null,
  })
  const { text, html } = shown(aNotice({ status: 'decided', decisions: [aDecision()], counterNotices: [overtaken] }))
  expect(headings(html)).not.toContain('A counter-notice is waiting')
  expect(text).toContain('A new decision replaced the one it answers')
  expect(text).not.toContain('Accept and forward')
  expect(text).toContain('Close')
})

test('a notice that is over says so, offers nothing, and leads to the one that it repeats', () => {
  const { text, hrefs } = shown(aNotice({ status: 'duplicate', duplicateOf: 'N-0KQ2-7H4T', clocks: [] }))
  expect(text).toContain('Duplicate This notice is a duplicate')
  expect(hrefs).toContain('/admin/notices/N-0KQ2-7H4T')
  for (const action of ['Begin review', 'Detach', 'Preview', 'Close']) expect(text).not.toContain(action)
})

test('before a decision goes, its emails and what becomes of each entry are read', () => {
  const { text } = rendered(
    <DecisionPreviewed
      preview={{
        emails: [{ to: 'clara@lighthouse.example', subject: 'We have decided', text: 'Hello Clara' }],
        items: [{ id: 'i1', name: 'Letters', path: '/western/letters', becomes: 'removed' }],
      }}
    />,
  )
  expect(text).toContain('Letters (opens in a new tab) Removed')
  expect(text).toContain('To clara@lighthouse.example We have decided Hello Clara')
  expect(rendered(<DecisionPreviewed preview={{ emails: [], items: [] }} />).text).toContain('Nobody is emailed')
})

test('who is overtaken reads what happened, and how the notice stands', () => {
  const { text } = rendered(
    <Meanwhile
      status="decided"
      happened={[{ at: '2024-03-15T11:00:00.000Z', type: 'decided', sentence: 'Ana Second decided to keep.' }]}
    />,
  )
  expect(text).toContain('Ana Second decided to keep.')
  expect(text).toContain('It is now: Decided. Nothing you typed is lost.')
})

test('what was not hidden says so, offers to hide it, and leads to what came from the same network', () => {
  const { text, hrefs } = shown(
    aNotice({
      kind: 'intimate-image',
      isWithheld: true,
      sameNetwork: 3,
      clocks: [aClock({ name: 'decide' }), aClock({ name: 'hide' })],
    }),
  )
  expect(text).toContain('Not hidden: too many at once.')
  expect(text).toContain('Hide the entries Begin review Decide')
  expect(text).toContain('3 more waiting notices from the same network')
  expect(hrefs).toContain('/admin/notices?network=N-4GT7-0KQ2')
  const usual = shown(aNotice({ kind: 'intimate-image' })).text
  expect(usual).not.toContain('Hide the entries')
  expect(usual).not.toContain('from the same network')
})

test('what waits for a decision can be selected, and what was not hidden is marked', () => {
  const { html, text } = rendered(
    <NoticeTable
      label="Notices: Waiting"
      notices={[
        aNoticeInQueue({ kind: 'intimate-image', isWithheld: true }),
        aNoticeInQueue({ reference: 'N-5555-AAAA', status: 'decided', hasAppeal: true }),
        aNoticeInQueue({ reference: 'N-7777-CCCC', kind: 'child-safety' }),
        aNoticeInQueue({ reference: 'N-8888-DDDD', status: 'withdrawn' }),
        aNoticeInQueue({ reference: 'N-6666-BBBB', status: 'decided' }),
      ]}
      isBusy={false}
      now={now}
      searchOf={(sender) => sender}
      picked={new Set(['N-4GT7-0KQ2'])}
      onPick={nothing}
    />,
  )
  expect(text).toContain('Received Not hidden: too many at once')
  expect(html.match(/aria-label="Select [^"]*"/g)).toEqual([
    'aria-label="Select N-4GT7-0KQ2"',
    'aria-label="Select N-6666-BBBB"',
  ])
})

test('the queue says in words what is urgent, what is missing, and what else waits', () => {
  const { text, html, hrefs } = rendered(
    <NoticeTable
      label="Notices: Waiting"
      notices={[
        aNoticeInQueue({
          clock: aClock({ name: 'person', dueAt: '2024-03-13T11:00:00.000Z', isOverdue: true }),
          kind: 'child-safety',
          sender: null,
        }),
        aNoticeInQueue({
          reference: 'N-5555-AAAA',
          status: 'needs-info',
          missing: ['signature'],
          clock: null,
          hasAppeal: true,
          counterNotices: 2,
          addresses: 3,
        }),
      ]}
      isBusy={false}
      now={now}
      searchOf={(sender) => sender}
      picked={new Set(['N-5555-AAAA'])}
      onPick={nothing}
    />,
  )
  expect(text).toContain(
    'Child at risk N-4GT7-0KQ2 Letters from a Lighthouse · sender not given Overdue by 2 days First look by a person Received Review',
  )
  expect(text).toContain(
    'Copyright N-5555-AAAA · 1 of 8 missing Letters from a Lighthouse and 2 more addresses · from Clara Claimant No deadline Information missing Appeal 2 counter-notices Answer the appeal',
  )
  expect(html).toContain('is-danger')
  expect(hrefs).toEqual(['/admin/notices/N-4GT7-0KQ2', '/?Clara Claimant', '/admin/notices/N-5555-AAAA'])
})
