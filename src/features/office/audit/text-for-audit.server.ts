import { createHash } from 'node:crypto'

const longest = 1_000

/** A text as the audit log keeps it: whole, or where it is long its beginning with what tells it apart. */
export function textForAudit(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= longest) return text
  const digest = createHash('sha256').update(text).digest('hex')
  const length = characters.length.toLocaleString('en-US')
  return `${characters.slice(0, longest).join('')}… (${length} characters, SHA-256 ${digest})`
}
