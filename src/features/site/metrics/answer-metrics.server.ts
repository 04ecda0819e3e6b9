import { createHash, timingSafeEqual } from 'node:crypto'
import { notFound } from '../../../http/match.ts'
import { metricsType } from '../../../platform/metrics/metric.ts'
import type { JsonReply } from '../../../http/route.ts'
import type { SiteApp } from '../app.ts'

/**
 * The figures of this instance, for callers who have the token (docs/spec/operations.md#metrics).
 * @throws {AppError} 404 for everybody else, as if there were nothing
 */
export async function answerMetrics(
  { config, metrics }: Pick<SiteApp, 'config' | 'metrics'>,
  authorization: string | undefined,
): Promise<JsonReply> {
  const { metricsToken } = config
  const [, given] = /^bearer +(.+)$/i.exec(authorization ?? '') ?? []
  if (metricsToken === undefined || given === undefined || !isSame(given, metricsToken)) throw notFound()
  const text = await metrics.write()
  return { status: 200, mediaType: metricsType, body: () => text }
}

/** In a time that tells nothing of either. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(a, b)
}
