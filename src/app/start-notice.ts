import type { DemoLogin } from '../features/accounts/demo/fill-demo-accounts.server.ts'

/**
 * The text on standard output once the site listens. Passwords are shown on a terminal only: elsewhere the output is
 * kept as a log, and the text names the file that holds them.
 */
export function startNotice({
  brandName,
  url,
  logins,
  loginsFile,
  isTerminal,
  sandboxUrl,
}: {
  brandName: string
  url: string
  logins: DemoLogin[]
  loginsFile: string
  isTerminal: boolean
  /** The address of the sandbox; undefined where none runs. */
  sandboxUrl: string | undefined
}): string {
  const demo = logins.length === 0 ? '' : isTerminal ? tableOf(logins) : `\n  Demo logins are in ${loginsFile}\n`
  const test =
    sandboxUrl === undefined ? '' : `\n  TEST MODE: no card is charged. Payments are played at ${sandboxUrl}\n`
  return `\n  ${brandName} is open at ${url}\n${demo}${test}\n`
}

function tableOf(logins: DemoLogin[]): string {
  const width = Math.max(...logins.map(({ email }) => email.length))
  const lines = logins.map(
    ({ role, email, password }) => `    ${email.padEnd(width)}  ${password ?? '(password changed)'}  ${role}\n`,
  )
  return `\n  Demo logins\n${lines.join('')}`
}
