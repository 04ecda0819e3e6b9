import { type DestinationStream, pino, type Logger } from 'pino'
import { isReportedOnce } from './database-outages.ts'
import { inSources } from './source-places.ts'

export type Log = Logger

/** Bytes of unwritten lines in memory; later lines are dropped. */
const maxWaitingBytes = 1024 * 1024

/** Structured log, one JSON object a line on standard output. Credentials never reach it. */
export function openLog(level: string, output: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: {
        err(error: Error) {
          const written = pino.stdSerializers.err(error)
          return typeof written.stack === 'string' ? { ...written, stack: inSources(written.stack) } : written
        },
      },
      hooks: {
        // An outage of the database, or a full disk, is reported once: the failures that follow from it are no news.
        logMethod(args, method, levelNumber) {
          const [what] = args as unknown[]
          const isReported = isReportedOnce((what as { err?: unknown } | null | undefined)?.err)
          if (!isReported || levelNumber <= debugLevel) method.apply(this, args)
          else this.debug(...args)
        },
      },
      redact: {
        paths: ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token'],
        censor: '***',
      },
    },
    output,
  )
}

const debugLevel = pino.levels.values['debug'] ?? 0

/** A line that cannot be written is lost. That is no reason to stop, and later ones may be written again. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: maxWaitingBytes })
  output.on('error', () => {})
  output.on('drop', () => {
    try {
      output.flushSync()
    } catch {
      // Still not.
    }
  })
  return output
}
