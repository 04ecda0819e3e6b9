import { describe, expect, test } from 'vitest'
import { noticeStatuses } from './notice-kinds.ts'
import { maxOpenCounterNotices, type NoticeState, replay, transition } from './transition.ts'
import type { NoticeEventInput, NoticeEventType } from './notice-event.ts'

const open: NoticeState = {
  kind: 'copyright',
  status: 'received',
  missing: [],
  isWhole: true,
  outcome: null,
  appeal: 'none',
  counterNotices: {},
  holds: 'holds',
  isWithheld: false,
  duplicateOf: null,
}
const decided: NoticeState = { ...open, status: 'decided', outcome: 'remove', holds: 'none' }

/** Every state that tells events apart. */
const states = {
  unborn: null,
  received: open,
  'needs-info': { ...open, status: 'needs-info', missing: ['signature'], isWhole: false },
  'whole, asked': { ...open, status: 'needs-info', missing: ['signature'] },
  'in-review': { ...open, status: 'in-review' },
  'in-review, missing': { ...open, status: 'in-review', missing: ['signature'], isWhole: false },
  'of a child': { ...open, kind: 'child-safety', holds: 'hides' },
  'of an image': { ...open, kind: 'intimate-image', holds: 'hides' },
  decided,
  'decided to keep': { ...decided, outcome: 'keep' },
  'decided, privacy': { ...decided, kind: 'privacy' },
  appealed: { ...decided, appeal: 'open' },
  'appealed, kept': { ...decided, outcome: 'keep', appeal: 'open' },
  'appeal answered': { ...decided, appeal: 'answered' },
  restricted: { ...decided, outcome: 'restrict' },
  'counter-notice': { ...decided, counterNotices: { c: 'received' } },
  'counter-notice accepted': { ...decided, counterNotices: { c: 'accepted' } },
  'counter-notice refused': { ...decided, counterNotices: { c: 'refused' } },
  'counter-notice overtaken': { ...decided, counterNotices: { c: 'overtaken' } },
  'court action': { ...decided, counterNotices: { c: 'action' } },
  'another counter-notice': { ...decided, counterNotices: { b: 'received' } },
  restored: { ...decided, outcome: 'keep', counterNotices: { c: 'restored' } },
  closed: { ...decided, status: 'closed' },
  withdrawn: { ...open, status: 'withdrawn', holds: 'none' },
  duplicate: { ...open, status: 'duplicate', holds: 'none', duplicateOf: 'other' },
} satisfies Record<string, NoticeState | null>
type StateName = keyof typeof states

const events = {
  received: { type: 'received', kind: 'copyright', missing: [] },
  completed: { type: 'completed' },
  answered: { type: 'answered', missing: ['signature'] },
  asked: { type: 'asked', missing: ['phone'], message: 'Which?' },
  reviewed: { type: 'reviewed' },
  reclassified: { type: 'reclassified', kind: 'other', missing: [] },
  'entries-changed': { type: 'entries-changed', added: 'x' },
  'marked-duplicate': { type: 'marked-duplicate', of: 'other' },
  joined: { type: 'joined', duplicate: 'other', added: ['address'], hides: true },
  withdrawn: { type: 'withdrawn' },
  decided: { type: 'decided', decisionId: 'd', outcome: 'keep' },
  reversed: { type: 'reversed', decisionId: 'd', outcome: 'keep' },
  appealed: { type: 'appealed', appealId: 'a' },
  'appeal-answered': { type: 'appeal-answered', appealId: 'a', decisionId: null, outcome: 'remove' },
  'counter-received': { type: 'counter-received', counterNoticeId: 'c' },
  'counter-accepted': { type: 'counter-accepted', counterNoticeId: 'c', receivedAt: '2026-11-23T12:00:00Z' },
  'counter-refused': { type: 'counter-refused', counterNoticeId: 'c', reasons: 'It is not yours.' },
  'action-notified': { type: 'action-notified', counterNoticeId: 'c', note: 'A court.' },
  restored: { type: 'restored', counterNoticeId: 'c', decisionId: 'd', outcome: 'keep', overtakes: [] },
  hidden: { type: 'hidden', clock: 'hide', items: [] },
  overdue: { type: 'overdue', clock: 'decide' },
  'second-wanted': { type: 'second-wanted', act: 'keep' },
  closed: { type: 'closed' },
} satisfies Record<NoticeEventType, NoticeEventInput>

/** Those that are decided, with or without a counter-notice, and keep something off the site. */
const countered = {
  restricted: 'decided',
  'counter-notice': 'decided',
  'counter-notice of nothing': 'decided',
  'counter-notice accepted': 'decided',
  'counter-notice refused': 'decided',
  'counter-notice overtaken': 'decided',
  'court action': 'decided',
  'another counter-notice': 'decided',
} as const

/** The states that allow each event, and the resulting status; all others refuse it. */
const allowed: Record<NoticeEventType, Partial<Record<StateName, NoticeState['status']>>> = {
  received: { unborn: 'received' },
  completed: { 'needs-info': 'received', 'whole, asked': 'received', 'in-review, missing': 'in-review' },
  answered: {
    'whole, asked': 'needs-info',
    'of an image': 'received',
    received: 'received',
    'needs-info': 'needs-info',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
  },
  asked: {
    'whole, asked': 'needs-info',
    'of an image': 'needs-info',
    received: 'needs-info',
    'needs-info': 'needs-info',
    'in-review': 'needs-info',
    'in-review, missing': 'needs-info',
  },
  reviewed: {
    received: 'in-review',
    'needs-info': 'in-review',
    'whole, asked': 'in-review',
    'of a child': 'in-review',
    'of an image': 'in-review',
  },
  reclassified: {
    'whole, asked': 'received',
    'of an image': 'received',
    received: 'received',
    'needs-info': 'received',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
  },
  'entries-changed': {
    'whole, asked': 'needs-info',
    'of an image': 'received',
    'appealed, kept': 'decided',
    received: 'received',
    'needs-info': 'needs-info',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
  },
  'marked-duplicate': {
    'whole, asked': 'duplicate',
    'of an image': 'duplicate',
    received: 'duplicate',
    'needs-info': 'duplicate',
    'in-review': 'duplicate',
    'in-review, missing': 'duplicate',
    'of a child': 'duplicate',
  },
  joined: {
    received: 'received',
    'needs-info': 'needs-info',
    'whole, asked': 'needs-info',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
    'of an image': 'received',
  },
  withdrawn: {
    'whole, asked': 'withdrawn',
    'of an image': 'withdrawn',
    received: 'withdrawn',
    'needs-info': 'withdrawn',
    'in-review': 'withdrawn',
    'in-review, missing': 'withdrawn',
  },
  decided: {
    'whole, asked': 'decided',
    'of an image': 'decided',
    received: 'decided',
    'needs-info': 'decided',
    'in-review': 'decided',
    'in-review, missing': 'decided',
    'of a child': 'decided',
  },
  reversed: {
    decided: 'decided',
    'decided to keep': 'decided',
    'decided, privacy': 'decided',
    'appeal answered': 'decided',
    ...countered,
    restored: 'decided',
    closed: 'decided',
  },
  appealed: {
    decided: 'decided',
    'decided to keep': 'decided',
    'decided, privacy': 'decided',
    ...countered,
    restored: 'decided',
    closed: 'decided',
  },
  'appeal-answered': { appealed: 'decided', 'appealed, kept': 'decided' },
  'counter-received': {
    decided: 'decided',
    appealed: 'decided',
    'appeal answered': 'decided',
    ...countered,
    closed: 'decided',
  },
  'counter-accepted': { 'counter-notice': 'decided' },
  'counter-refused': { 'counter-notice': 'decided' },
  'action-notified': { 'counter-notice': 'decided', 'counter-notice accepted': 'decided' },
  restored: { 'counter-notice accepted': 'decided' },
  hidden: {
    'whole, asked': 'needs-info',
    'of an image': 'received',
    received: 'received',
    'needs-info': 'needs-info',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
  },
  overdue: {
    'whole, asked': 'needs-info',
    'of an image': 'received',
    'appealed, kept': 'decided',
    received: 'received',
    'needs-info': 'needs-info',
    'in-review': 'in-review',
    'in-review, missing': 'in-review',
    'of a child': 'received',
    appealed: 'decided',
    'counter-notice': 'decided',
    'counter-notice accepted': 'decided',
    'another counter-notice': 'decided',
  },
  // One person decides notices of other kinds alone.
  'second-wanted': { 'of a child': 'received' },
  closed: {
    decided: 'closed',
    'decided to keep': 'closed',
    'decided, privacy': 'closed',
    'appeal answered': 'closed',
    restricted: 'closed',
    'counter-notice refused': 'closed',
    'counter-notice overtaken': 'closed',
    'court action': 'closed',
    restored: 'closed',
  },
}

describe.each(Object.keys(events) as NoticeEventType[])('%s', (type) => {
  test.each(Object.keys(states) as StateName[])('of a notice that is: %s', (name) => {
    const next = transition(states[name], events[type])
    expect(next.isRefused ? 'refused' : next.state.status).toBe(allowed[type][name] ?? 'refused')
    if (next.isRefused) expect(next.sentence).toMatch(/^[A-Z].*\.$/)
  })
})

test('the states cover every status', () => {
  const covered = new Set(Object.values(states).map((state) => state?.status))
  expect(noticeStatuses.filter((status) => !covered.has(status))).toEqual([])
})

test('an event that only records leaves the version', () => {
  const raising = Object.entries(events).map(([type, event]) => {
    const [name] = Object.keys(allowed[type as NoticeEventType]) as StateName[]
    const next = transition(states[name as StateName], event)
    return [type, !next.isRefused && next.raisesVersion]
  })
  expect(raising.filter(([, raises]) => raises === false).map(([type]) => type)).toEqual([
    'hidden',
    'overdue',
    'second-wanted',
  ])
})

function after(state: NoticeState | null, event: NoticeEventInput): NoticeState {
  const next = transition(state, event)
  if (next.isRefused) throw new Error(next.sentence)
  return next.state
}

describe('what a notice holds', () => {
  test.each([
    ['a whole copyright notice', 'copyright', [], 'holds'],
    ['a child at risk, although something is missing', 'child-safety', ['explanation'], 'hides'],
    ['a whole notice of an intimate image', 'intimate-image', [], 'hides'],
    ['one that something is missing of', 'intimate-image', ['signature'], 'holds'],
    ['a withdrawn consent', 'consent', [], 'holds'],
  ] as const)('%s', (_what, kind, missing, holds) => {
    expect(after(null, { type: 'received', kind, missing }).holds).toBe(holds)
  })

  test('is hidden when the notice of an intimate image is completed', () => {
    const begun = after(null, { type: 'received', kind: 'intimate-image', missing: ['signature'] })
    expect(after(begun, { type: 'completed' }).holds).toBe('hides')
  })

  test('stays hidden while more is asked for', () => {
    const begun = after(null, { type: 'received', kind: 'intimate-image', missing: [] })
    const asked = after(begun, { type: 'asked', missing: ['email'], message: 'Which?' })
    expect(asked.holds).toBe('hides')
    expect(after(asked, { type: 'completed' }).holds).toBe('hides')
  })

  test('takes the kind of the one that it repeats, and stays a duplicate', () => {
    const event = { type: 'reclassified', kind: 'child-safety', missing: [] } as const
    expect(transition(states.duplicate, { ...event, with: 'other' })).toEqual({
      isRefused: false,
      state: { ...states.duplicate, kind: 'child-safety' },
      raisesVersion: true,
    })
    expect(transition(states.duplicate, { ...event, with: 'a third' }).isRefused).toBe(true)
    expect(transition(states.duplicate, event).isRefused).toBe(true)
  })

  test('is hidden by a clock, and given back when it is decided, withdrawn or a duplicate', () => {
    const hidden = after(open, events.hidden)
    expect(hidden.holds).toBe('hides')
    for (const type of ['decided', 'withdrawn', 'marked-duplicate'] as const)
      expect(after(hidden, events[type]).holds).toBe('none')
  })

  test('is hidden where a duplicate has hidden it', () => {
    expect(after(open, events.joined).holds).toBe('hides')
    expect(after(open, { ...events.joined, hides: false }).holds).toBe('holds')
    expect(after(states['of an image'], { ...events.joined, hides: false }).holds).toBe('hides')
  })

  test('stays hidden when another kind does not ask for it: it is given back by a decision alone, or by its sender', () => {
    expect(after(states['of a child'], events.reclassified).holds).toBe('hides')
    expect(after(states['of an image'], events.reclassified).holds).toBe('hides')
    const child = { type: 'reclassified', kind: 'child-safety', missing: ['explanation'] } as const
    // Another person's look is not the safety officer's.
    expect(after(states['in-review'], child)).toMatchObject({ status: 'needs-info', holds: 'hides' })
  })
})

test('what is asked for is said, and what has come whole is said to be whole', () => {
  expect(transition(open, { type: 'asked', missing: [], message: '' })).toMatchObject({ isRefused: true })
  expect(transition(states['needs-info'], { type: 'answered', missing: [] })).toMatchObject({ isRefused: true })
  expect(transition(open, { type: 'reclassified', kind: 'copyright', missing: [] })).toMatchObject({ isRefused: true })
})

test('only what the law asks of its kind is asked for', () => {
  for (const missing of [['organization'], ['signature', 'explanation'], ['shoe size']])
    expect(transition(open, { type: 'asked', missing, message: 'x' })).toMatchObject({ isRefused: true })
})

test('a notice that was whole stays whole, whatever is asked for; another kind asks for other things', () => {
  expect(after(open, events.asked)).toMatchObject({ status: 'needs-info', isWhole: true })
  expect(after(states['needs-info'], events.asked).isWhole).toBe(false)
  expect(after(states['needs-info'], events.completed).isWhole).toBe(true)
  expect(after(open, { type: 'reclassified', kind: 'other', missing: ['goodFaith'] }).isWhole).toBe(false)
  expect(after(null, { type: 'received', kind: 'child-safety', missing: ['explanation'] }).isWhole).toBe(false)
})

test('what was said against one decision says nothing about the next', () => {
  const answered = after(states.appealed, { ...events['appeal-answered'], decisionId: 'd2', outcome: 'keep' })
  expect(answered).toMatchObject({ outcome: 'keep', appeal: 'none' })
  const both: NoticeState = {
    ...decided,
    counterNotices: { a: 'refused', b: 'accepted', c: 'received' },
  }
  expect(after(both, events.reversed).counterNotices).toEqual({
    a: 'refused',
    b: 'overtaken',
    c: 'overtaken',
  })
})

test('what a counter-notice names is given back alone: others wait on, and an appeal with them', () => {
  const both: NoticeState = { ...decided, appeal: 'open', counterNotices: { b: 'received', c: 'accepted' } }
  expect(after(both, { ...events.restored, outcome: 'remove' })).toMatchObject({
    outcome: 'remove',
    appeal: 'open',
    counterNotices: { b: 'received', c: 'restored' },
  })
  expect(after(both, { ...events.restored, overtakes: ['b'] })).toMatchObject({
    outcome: 'keep',
    appeal: 'answered',
    counterNotices: { b: 'overtaken', c: 'restored' },
  })
})

test('so many counter-notices wait at a notice, and no more', () => {
  let full: NoticeState = decided
  for (let no = 0; no < maxOpenCounterNotices; no += 1)
    full = after(full, { ...events['counter-received'], counterNoticeId: `c${no}` })
  const another = { ...events['counter-received'], counterNoticeId: 'one more' }
  expect(transition(full, another)).toMatchObject({ isRefused: true })
  expect(transition(after(full, { ...events['counter-refused'], counterNoticeId: 'c3' }), another)).toMatchObject({
    isRefused: false,
  })
})

test('a ledger replayed gives the notice and its version', () => {
  const { state, version } = replay([
    { type: 'received', kind: 'copyright', missing: ['signature'] },
    { type: 'completed' },
    events.reviewed,
    events.hidden,
    { type: 'decided', decisionId: 'd', outcome: 'remove' },
    events['counter-received'],
    { type: 'overdue', clock: 'forward', counterNoticeId: 'c' },
    events['counter-accepted'],
    events.restored,
  ])
  expect([state.status, state.outcome, state.counterNotices, version]).toEqual([
    'decided',
    'keep',
    { c: 'restored' },
    7,
  ])
  expect(() => replay([events.reviewed])).toThrow(/cannot have happened/)
})

test('what too much at once has left on the site stays so until a person hides it, and is hidden once', () => {
  const received = { type: 'received', kind: 'child-safety', missing: ['itemUrls'] } as const
  const hide = { type: 'hidden', items: ['a'] } as const
  expect(replay([received]).state.isWithheld).toBe(false)
  for (const ledger of [
    [{ ...received, isWithheld: true }],
    [received, { type: 'completed', isWithheld: true }],
    [received, { type: 'entries-changed', added: 'b', isWithheld: true }],
    [
      { ...received, kind: 'intimate-image' },
      { type: 'completed', isWithheld: true },
    ],
    [
      { type: 'received', kind: 'consent', missing: [] },
      { type: 'hidden', clock: 'hide', items: ['a'], isWithheld: true },
    ],
  ] as NoticeEventInput[][]) {
    const { state, version } = replay(ledger)
    expect([state.holds, state.isWithheld]).toEqual(['hides', true])
    const hidden = replay([...ledger, hide])
    expect([hidden.state.holds, hidden.state.isWithheld, hidden.version]).toEqual(['hides', false, version])
    expect(transition(hidden.state, hide).isRefused).toBe(true)
    const settled = replay([...ledger, { type: 'decided', decisionId: 'd', outcome: 'keep' }])
    expect([settled.state.holds, settled.state.isWithheld]).toEqual(['none', false])
  }
  expect(transition(open, hide).isRefused).toBe(true)
})

test('a notice that would only hold its entries does not hold them where too many came at once, and is not withheld', () => {
  for (const ledger of [
    [{ type: 'received', kind: 'other', missing: [], isWithheld: true }],
    [
      { type: 'received', kind: 'copyright', missing: ['signature'] },
      { type: 'completed', isWithheld: true },
    ],
  ] as NoticeEventInput[][]) {
    const { state } = replay(ledger)
    expect([state.holds, state.isWithheld]).toEqual(['none', false])
    // Its deadline hides them.
    expect(after(state, { type: 'hidden', clock: 'hide', items: [] }).holds).toBe('hides')
  }
})

test('to ask the sender for more, and to get it, leaves on the site what was left there', () => {
  const { state } = replay([
    { type: 'received', kind: 'intimate-image', missing: [], isWithheld: true },
    { type: 'asked', missing: ['signature'], message: '' },
  ])
  expect([state.holds, state.isWithheld]).toEqual(['hides', true])
  expect(after(state, { type: 'completed' })).toMatchObject({ holds: 'hides', isWithheld: true })
})
