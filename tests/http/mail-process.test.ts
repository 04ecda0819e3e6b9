import { expect, test } from 'vitest'
import { proveMail } from '../proofs/mail.ts'

test(
  'a thousand letters arrive, each at most twice and under one Message-ID, though the mail server goes away and the site is killed twice; a link to set a password passes them',
  { timeout: 600_000 },
  async () => {
    const { arrived, most, otherIds, resetBehind, waiting } = await proveMail(1_000)
    expect({ arrived, otherIds }).toEqual({ arrived: 1_000, otherIds: 0 })
    expect(most).toBeLessThanOrEqual(2)
    expect(waiting).toBeGreaterThan(100)
    // Those under way on the other connections, and while the request was answered; not the line.
    expect(resetBehind).toBeLessThan(waiting / 2)
  },
)
