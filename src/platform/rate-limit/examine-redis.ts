import type { PlatformConfig } from '../config/platform-config.ts'
import { type DoctorCheck, type ExaminedSettings, type Finding, good, problem } from '../doctor/doctor-check.ts'
import { openRateLimits } from './rate-limits.ts'

export const redisCheck: DoctorCheck<ExaminedSettings<PlatformConfig>> = { about: 'Redis', examine }

async function* examine({ config, log }: ExaminedSettings<PlatformConfig>): AsyncGenerator<Finding> {
  if (config.redisUrl === undefined) return
  const limits = openRateLimits(config, log, { answerWithinMs: 2_000 })
  try {
    await limits.limit({ name: 'doctor', points: 1_000_000, seconds: 60 }).count('doctor')
    yield limits.isAlone
      ? problem(
          'it does not answer.',
          'Correct REDIS_URL, or start Redis: until then each process counts its own limits.',
        )
      : good('it answers, and can be written to.')
  } finally {
    limits.close()
  }
}
