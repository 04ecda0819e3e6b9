import type {
  Clock,
  Decision,
  NoticeForDesk,
  NoticeInQueue,
  ReportedAddress,
  ReportedEntry,
} from '../../src/features/notices/desk/desk-schema.ts'

/** Answers of the desk of notices, for what is rendered without a server. */

export function aReportedEntry(overrides: Partial<ReportedEntry> = {}): ReportedEntry {
  return {
    id: '0193a3a0-0000-7000-8000-000000000001',
    name: 'Letters from a Lighthouse',
    slug: 'letters-from-a-lighthouse',
    path: '/western/letters-from-a-lighthouse',
    category: 'Book',
    contentType: 'western',
    status: 'published',
    version: 3,
    postDate: '2024-03-01T00:00:00.000Z',
    links: [{ slot: 'link', address: 'https://mega.nz/file/letters' }],
    rights: {
      basis: 'public_domain',
      holder: 'The heirs of the author',
      licence: null,
      evidence: 'The author died in 1911.',
      attestedBy: 'Ada Admin',
    },
    people: 'none',
    ...overrides,
  }
}

export function aReportedAddress(overrides: Partial<ReportedAddress> = {}): ReportedAddress {
  return {
    id: '0193a3a0-0000-7000-8000-0000000000a1',
    url: 'https://library.example/western/letters-from-a-lighthouse',
    asReported: aReportedEntry(),
    asItIs: aReportedEntry(),
    ...overrides,
  }
}

export function aClock(overrides: Partial<Clock> = {}): Clock {
  return { name: 'triage', dueAt: '2024-03-18T12:00:00.000Z', isOverdue: false, ...overrides }
}

export function aNoticeInQueue(overrides: Partial<NoticeInQueue> = {}): NoticeInQueue {
  return {
    reference: 'N-4GT7-0KQ2',
    kind: 'copyright',
    status: 'received',
    version: 1,
    sender: 'Clara Claimant',
    receivedAt: '2024-03-15T09:00:00.000Z',
    clock: aClock(),
    addresses: 1,
    waitsForSecond: false,
    item: { name: 'Letters from a Lighthouse', path: '/western/letters-from-a-lighthouse' },
    isNothingFound: false,
    isOverdue: false,
    missing: [],
    isAsked: false,
    assignee: null,
    isWithheld: false,
    hasAppeal: false,
    counterNotices: 0,
    ...overrides,
  }
}

export function aDecision(overrides: Partial<Decision> = {}): Decision {
  return {
    id: '0193a3a0-0000-7000-8000-0000000000d1',
    outcome: 'remove',
    ground: 'illegal',
    legalGround: '17 U.S.C. § 512(c)',
    facts: 'The translation of 1987 is protected, and the entry is that translation.',
    explanation: 'We have removed the entry because its translation is not in the public domain.',
    decidedBy: 'Ada Admin',
    decidedAt: '2024-03-15T11:00:00.000Z',
    reverses: null,
    items: [
      {
        id: aReportedEntry().id,
        name: aReportedEntry().name,
        path: aReportedEntry().path,
        wasReported: true,
        effect: 'removed',
        reasons: [],
      },
    ],
    ...overrides,
  }
}

export function aNotice(overrides: Partial<NoticeForDesk> = {}): NoticeForDesk {
  return {
    reference: 'N-4GT7-0KQ2',
    kind: 'copyright',
    status: 'received',
    version: 1,
    waitsForSecond: false,
    firstAct: null,
    receivedAt: '2024-03-15T09:00:00.000Z',
    completedAt: '2024-03-15T09:00:00.000Z',
    decidedAt: null,
    forgottenAt: null,
    sender: {
      name: 'Clara Claimant',
      organization: 'Lighthouse Press',
      address: '1 Harbour Road, Portsmouth',
      phone: '+44 23 9200 0000',
      email: 'clara@lighthouse.example',
    },
    workDescription: 'The English translation of 1987.',
    explanation: null,
    lawCited: null,
    signature: 'Clara Claimant',
    elements: [
      { name: 'name', label: 'Name', isGiven: true },
      { name: 'signature', label: 'Signature', isGiven: true },
    ],
    addresses: [aReportedAddress()],
    isNothingFound: false,
    isOverdue: false,
    clocks: [aClock()],
    events: [{ at: '2024-03-15T09:00:00.000Z', type: 'received', sentence: 'The notice was received.' }],
    decisions: [],
    duplicateOf: null,
    isWithheld: false,
    assignee: null,
    assignable: [],
    sameNetwork: 0,
    appeal: null,
    counterNotices: [],
    ...overrides,
  }
}

export function aCounterNotice(
  overrides: Partial<NoticeForDesk['counterNotices'][number]> = {},
): NoticeForDesk['counterNotices'][number] {
  const { id, name, path } = aReportedEntry()
  return {
    id: '0193a3a0-0000-7000-8000-0000000000c1',
    state: 'received',
    entries: [{ id, name, path }],
    name: 'Oskar Owner',
    address: '2 Quay Street, Whitby',
    phone: '+44 1947 600000',
    email: 'oskar@owner.example',
    explanation: 'It was removed by mistake.',
    signature: 'Oskar Owner',
    receivedAt: '2024-03-16T09:00:00.000Z',
    acceptedAt: null,
    refusedAt: null,
    refusal: null,
    actionNotifiedAt: null,
    actionNote: null,
    restoredAt: null,
    overtakenAt: null,
    restoreFrom: '2024-04-01T12:00:00.000Z',
    restoreUntil: '2024-04-05T12:00:00.000Z',
    ...overrides,
  }
}
