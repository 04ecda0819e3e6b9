import {
  type DoctorCheck,
  type ExaminedSettings,
  type Finding,
  good,
  problem,
  sentenceOf,
  warning,
} from '../platform/doctor/doctor-check.ts'
import { livenessPath } from './health.ts'
import type { HttpConfig } from './http-config.ts'

/** Nobody waits longer for the site to answer. */
const answerWithinMs = 8_000

export const proxiesCheck: DoctorCheck<ExaminedSettings<HttpConfig>> = { about: 'Proxies', examine }

async function* examine({ config, fetch: ask }: ExaminedSettings<HttpConfig>): AsyncGenerator<Finding> {
  const { isPublic, publicUrl, publicUrlIsSet, trustedProxies } = config
  if (!publicUrlIsSet) {
    yield isPublic
      ? warning('PUBLIC_URL is unset, and HOST is open to others.', 'Set PUBLIC_URL to the address that visitors use.')
      : good('none are needed on this machine.')
    return
  }
  const isSecure = publicUrl.startsWith('https:')
  if (isSecure && trustedProxies.length === 0) {
    yield warning(
      'PUBLIC_URL is https, so something stands before the site, and TRUSTED_PROXIES is unset: all visitors share the limits of one address.',
      'Set TRUSTED_PROXIES to the address of the proxy, such as 127.0.0.1, ::1.',
    )
  }
  let answer: Response
  try {
    answer = await ask(`${publicUrl}${livenessPath}`, {
      signal: AbortSignal.timeout(answerWithinMs),
      redirect: 'manual',
    })
    await answer.body?.cancel()
  } catch (error) {
    yield warning(
      `nobody answers at ${publicUrl}: ${sentenceOf(error)}`,
      'That is so while the server is stopped. Otherwise look at its name, its certificate and the proxy.',
    )
    return
  }
  if (answer.status !== 200 || !answer.headers.has('x-request-id')) {
    yield problem(
      `${publicUrl} answers ${answer.status}, and it is not this site that does.`,
      'Have the proxy hand everything under this address on to HOST and PORT, with all headers.',
    )
  } else if (isSecure && !answer.headers.has('strict-transport-security')) {
    yield problem(
      'the header strict-transport-security does not reach visitors.',
      'Have the proxy pass all headers on, and give the server the same PUBLIC_URL.',
    )
  } else yield good(`the site answers at ${publicUrl}.`)
}
