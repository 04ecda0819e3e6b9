import { expect, test } from 'vitest'
import { rendered } from '../../../../tests/harness/rendered.ts'
import type { TrackedNotice } from '../intake/read-tracked-notice.server.ts'
import { TrackedNoticeCard } from './tracked-notice.tsx'

const notice: TrackedNotice = {
  reference: 'N-0000-0001',
  kind: 'intimate-image',
  sentAs: 'intimate-image',
  status: 'received',
  receivedAt: '2026-11-23 12:00 (UTC)',
  addresses: ['/western/one'],
  missing: [],
  question: undefined,
  trail: [],
  decision: undefined,
  splitFrom: undefined,
  parts: [],
  mayAnswer: false,
  mayAddAddresses: false,
  mayWithdraw: false,
  whyItStays: undefined,
  mayAppeal: false,
}
const shown = (overrides: Partial<TrackedNotice>) =>
  rendered(<TrackedNoticeCard notice={{ ...notice, ...overrides }} done={undefined} outcome={undefined} />)

test('what was added later leads from the first notice to its own, and back', () => {
  expect(shown({}).text).not.toContain('added')
  const first = shown({ parts: [{ reference: 'N-0000-0002', path: '/report/track/two' }] })
  expect(first.text).toContain('We handle what you added later as notice N-0000-0002')
  expect(first.html).toContain('href="/report/track/two"')
  const part = shown({ splitFrom: { reference: 'N-0000-0003', path: '/report/track/three' } })
  expect(part.text).toContain('You added these addresses later to your notice N-0000-0003')
  expect(part.html).toContain('href="/report/track/three"')
})
