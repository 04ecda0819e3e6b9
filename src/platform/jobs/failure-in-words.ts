/** Parts that might be a secret or somebody's: addresses, the ends of links, keys and ids. */
const hidden: readonly [pattern: RegExp, shown: string][] = [
  [/<?[^\s@<>"'(]+@[^\s@<>"')]+>?/g, '(an address)'],
  [/\b([a-z][a-z\d+.-]*:\/\/[^\s/"'<>]+)[^\s"'<>]*/gi, '$1/…'],
  [/[\w+/=.~-]*[\w+/=~-]{24,}[\w+/=.~-]*/g, '…'],
]

/** The reason of a failure as a sentence on one line, without secrets and addresses of people. */
export function failureInWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const line = message.trim().split('\n')[0] ?? ''
  const shown = hidden.reduce((text, [pattern, instead]) => text.replace(pattern, instead), line.slice(0, 1_000))
  return shown === '' ? 'It gave no reason.' : shown.slice(0, 300).replace(/[.\s]*$/, '.')
}

/** The same from what the library keeps of the error. */
export function keptFailureInWords(output: unknown): string | null {
  if (output === null || output === undefined) return null
  const { message, value } = output as { message?: unknown; value?: { message?: unknown } }
  const text = message ?? value?.message
  return failureInWords(typeof text === 'string' ? text : '')
}
