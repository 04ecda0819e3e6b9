import { ConfigError } from '../../../platform/config/config.ts'
import {
  type DoctorCheck,
  type ExaminedSettings,
  type Finding,
  good,
  problem,
  warning,
} from '../../../platform/doctor/doctor-check.ts'
import { isAppError } from '../../../platform/errors.ts'
import type { MembershipConfig } from '../membership-config.server.ts'
import { Payments } from './payments.server.ts'

export const paymentsCheck: DoctorCheck<ExaminedSettings<MembershipConfig>> = {
  about: 'Payments',
  isOffInRehearsal: true,
  examine,
}

async function* examine({ config, log }: ExaminedSettings<MembershipConfig>): AsyncGenerator<Finding> {
  const { payments: settings, isPublic } = config
  if (settings.isOff) {
    yield good('they are off: nothing is sold.')
    return
  }
  if (settings.isSandbox) {
    const sentence = 'the sandbox takes them, and no card is charged.'
    yield isPublic ? warning(sentence, "Set Stripe's four settings before you sell.") : good(sentence)
    return
  }
  try {
    await new Payments(settings, log).tryPrices()
  } catch (error) {
    if (error instanceof ConfigError) {
      yield problem(error.message, `Correct ${error.variable}.`)
      return
    }
    if (!isAppError(error)) throw error
    yield warning(
      `Stripe does not say whether the prices are right: ${error.message}`,
      'Look whether Stripe can be reached from here, and run this again.',
    )
    return
  }
  const tests = 'Stripe knows the key and the prices. They are test keys: no card is charged.'
  if (settings.isLive) yield good('Stripe knows the key and the prices, and real money moves.')
  else yield isPublic ? warning(tests, 'Set the live keys before you sell.') : good(tests)
}
