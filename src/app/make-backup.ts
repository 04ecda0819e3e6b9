import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { MakeBackup } from '../features/site/backup/scheduled-backups.server.ts'
import { isBuilt, packageRoot } from '../platform/package-files.ts'

/** In MiB. Rows live for a moment: in a larger one they would lie about until they are swept, some 60 MB of them. */
const nursery = '--max-semi-space-size=4'

const commandLine = join(packageRoot, isBuilt ? 'build/server/daybook.js' : 'src/cli.ts')

/**
 * Has the command make it: its memory and its work are none of the server's, and of the embedded database it borrows a copy.
 * @throws {Error} with the last sentence of the command, or with ours where it came to none
 */
export const makeBackup: MakeBackup = (path, signal) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, nursery, commandLine, 'backup', path, '--force'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)))
    child.once('error', reject)
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve()
      else reject(failureOf(said, { code, killedBy }))
    })
  })

/** The last line of a command is a sentence for people; that of a crash is Node's, and goes to the log behind ours. */
export function failureOf(
  said: string,
  { code, killedBy }: { code: number | null; killedBy: NodeJS.Signals | null },
): Error {
  const last = said.trim().split('\n').at(-1) ?? ''
  if (code === 1 && last !== '' && !last.startsWith('Node.js v')) return new Error(last)
  const why = killedBy === 'SIGKILL' ? ', as the system does for want of memory' : ''
  const how = killedBy === null ? `broke off with ${code}` : `was ended by ${killedBy}${why}`
  return new Error(`The process that makes it ${how}.`, { cause: new Error(said.trim()) })
}
