import type * as Library from '@simplewebauthn/browser'
import { networkSentence } from '../../../../browser/api-client.ts'
import type { PasskeyOptions } from '../../factors/factor-schema.ts'
import { passkeyObstacle } from './passkey-obstacle.ts'

/*
 * The browser's own questions about passkeys. Both are asked after a click alone: browsers want one. The library comes
 * with its own script, when it is needed.
 */

type Options = PasskeyOptions['options']

/** The result of the prompt: a response for the server, or a sentence that says why there is none. */
export type Prompted = { response: Record<string, unknown> } | { problem: string }

/** Makes a passkey on this device, or on another one that the browser offers. */
export function createPasskey(options: Options): Promise<Prompted> {
  return prompt(options, createProblems, async ({ startRegistration }) =>
    startRegistration({ optionsJSON: options as unknown as Library.PublicKeyCredentialCreationOptionsJSON }),
  )
}

/** Has the member show a passkey of theirs. */
export function askForPasskey(options: Options): Promise<Prompted> {
  return prompt(options, askProblems, async ({ startAuthentication }) => startAuthentication({ optionsJSON: options }))
}

/** The names of what browsers throw, by the standard. */
type Problems = Readonly<Record<'cancelled' | 'late' | 'otherwise', string>> & Partial<Readonly<Record<string, string>>>

const createProblems: Problems = {
  cancelled: "The passkey was not added because your browser's prompt was closed.",
  late: 'The passkey was not added because your browser waited too long for you. Try again.',
  otherwise: 'Your browser could not make a passkey. Try again, or use another device or an authenticator app.',
  InvalidStateError: 'This device already has a passkey for your account. To add another, use a different device.',
  NotSupportedError: 'This device cannot make a passkey that works here. Use another one, or an authenticator app.',
  ConstraintError: 'This device cannot make a passkey that works here. Use another one, or an authenticator app.',
  SecurityError: 'Passkeys do not work at this address of the site. Use an authenticator app.',
}

const askProblems: Problems = {
  cancelled: "No passkey was used because your browser's prompt was closed. Try again, or choose another way.",
  late: 'Your browser waited too long for your passkey. Try again, or choose another way.',
  otherwise: 'Your browser could not use a passkey. Try again, or choose another way.',
  SecurityError: 'Passkeys do not work at this address of the site. Choose another way.',
}

/** A browser's own timeout. */
const usualTimeoutMs = 60_000

async function prompt(
  options: Options,
  problems: Problems,
  ask: (library: typeof Library) => Promise<object>,
): Promise<Prompted> {
  const obstacle = passkeyObstacle()
  if (obstacle !== undefined) return { problem: obstacle }
  const library = await import('@simplewebauthn/browser').catch(() => undefined)
  if (library === undefined) return { problem: networkSentence }
  const askedAt = performance.now()
  try {
    return { response: { ...(await ask(library)) } }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    // Browsers do not say which of the two it was.
    if (name === 'NotAllowedError' || name === 'AbortError') {
      const timeoutMs = typeof options['timeout'] === 'number' ? options['timeout'] : usualTimeoutMs
      return { problem: performance.now() - askedAt >= timeoutMs - 1_000 ? problems.late : problems.cancelled }
    }
    return { problem: problems[name] ?? problems.otherwise }
  }
}
