import { pino, type Logger } from 'pino'

export type Log = Logger

/** Structured log, one JSON object a line on standard output. Credentials never reach it. */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['authorization', 'cookie', 'password', 'token', '*.authorization', '*.cookie', '*.password', '*.token'],
      censor: '***',
    },
  })
}
