import { agoInWords } from '../../../browser/format-instant.ts'
import type { SentEmail } from './sent-email-schema.ts'

export const fateWords = {
  sent: 'Sent',
  file: 'Written to a file',
  refused: 'Refused',
  withheld: 'Not sent',
  bounced: 'Came back',
  complained: 'Reported as spam',
} as const satisfies Record<SentEmail['fate'], string>

/** The fate of an email and when it was sent, in the middle of a sentence; of a failure, the mail server's reason. */
export function fateInWords({ fate, answer, at }: Pick<SentEmail, 'fate' | 'answer' | 'at'>, now: number): string {
  const words = fateWords[fate].toLowerCase()
  const ago = agoInWords(at, now)
  const reason = answer === null ? '' : ` (${answer})`
  if (fate === 'withheld') return words
  if (fate === 'complained') return `sent ${ago}, ${words}`
  if (fate === 'bounced') return `sent ${ago}, ${words}${reason}`
  return `${words} ${ago}${fate === 'refused' ? reason : ''}`
}
