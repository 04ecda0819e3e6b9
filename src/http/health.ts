import type { IncomingMessage, ServerResponse } from 'node:http'

/** Looks whether something keeps this process from serving. @returns a few words for a probe, or undefined */
export type ReadinessCheck<App> = (app: App) => string | undefined | Promise<string | undefined>

export const livenessPath = '/healthz'
const readinessPath = '/readyz'

/** A lack that does not keep this process from serving. @returns a few words for a probe, or undefined */
export type ReadinessRemark<App> = (app: App) => string | undefined

/** Answered before any route. */
export const probePaths = [livenessPath, readinessPath] as const

/** For the documentation: the paths, and the words of each status. */
export const probes = [
  { path: livenessPath, summary: 'Whether the process lives.', answers: { 200: 'ok' } },
  {
    path: readinessPath,
    summary: 'Whether the process can serve.',
    answers: {
      200: 'ready, and behind a colon what is missing without harm',
      503: 'stopping, or a few words that say what is missing',
    },
  },
] as const

/**
 * `/healthz` while the process lives, `/readyz` while it can serve, else 503 and the reason of the first check that finds
 * one; whatever else a probe's request looks like.
 * @returns whether it was one of them
 */
export function answerHealth<App>(
  {
    app,
    checks,
    remarks,
    isStopping,
  }: {
    app: App
    checks: readonly ReadinessCheck<App>[]
    remarks: readonly ReadinessRemark<App>[]
    isStopping: boolean
  },
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const say = (status: number, word: string): void => {
    response.writeHead(status, ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store']).end(word)
  }
  if (request.url === livenessPath) {
    say(200, 'ok')
    return true
  }
  if (request.url !== readinessPath) return false
  if (isStopping) say(503, 'stopping')
  else void answerReadiness()
  return true

  async function answerReadiness(): Promise<void> {
    const reason = await findReason(app, checks)
    const missing = remarks.map((remark) => remark(app)).filter((remark) => remark !== undefined)
    if (reason === undefined) say(200, ['ready', ...missing].join(': '))
    else say(503, reason)
  }
}

async function findReason<App>(app: App, checks: readonly ReadinessCheck<App>[]): Promise<string | undefined> {
  for (const check of checks) {
    const reason = await check(app)
    if (reason !== undefined) return reason
  }
  return undefined
}
