import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/**
 * Asks for a password without showing what is typed; when standard input is no terminal, reads its first line.
 * @throws {Error} when nothing was given
 */
export async function promptPassword(query: string): Promise<string> {
  const { stdin, stderr } = process
  const isTerminal = stdin.isTTY
  if (isTerminal) stderr.write(query)
  // With a terminal, readline would echo each key to its output: this one swallows them.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: silent, terminal: isTerminal })
  try {
    const password = await new Promise<string>((given, refused) => {
      lines.once('line', given)
      lines.once('close', () => refused(new Error('No password was given.')))
    })
    if (password === '') throw new Error('No password was given.')
    return password
  } finally {
    lines.close()
    if (isTerminal) stderr.write('\n')
  }
}
