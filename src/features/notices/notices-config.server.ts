import type { SettingsReader } from '../../platform/config/config.ts'
import { wholeNumber } from '../../platform/config/kinds.ts'
import { type Kind, setting } from '../../platform/config/setting.ts'
import type { RequestsConfig } from '../requests/requests-config.server.ts'

/** The start asks whether the calendar has it (`checkHolidays`): that takes code which the settings do not need. */
const holidays: Kind<string> = {
  expected: 'a country or a part of one, like US or DE-BY',
  read(value) {
    const code = value.toUpperCase()
    return /^[A-Z]{2}(-[A-Z0-9]{1,8}){0,2}$/.test(code) ? code : undefined
  },
}

export const noticesSettings = {
  holidays: setting({
    name: 'HOLIDAYS',
    kind: holidays,
    default: 'US',
    byDefault: '`US`',
    sentence:
      'whose public holidays are no business days for the [deadlines of notices](spec/notices.md#business-days): a country (`US`, `DE`) or a part of one (`DE-BY`, `US-LA`)',
  }),
  noticeDays: setting({
    name: 'NOTICE_DAYS',
    // An appeal may come for 183 days (docs/decisions/2026-11-23-forgetting-notices.md).
    kind: wholeNumber(365, 36_500),
    default: 1095,
    sentence:
      "how many days after a notice is over its sender's postal address, telephone and signature are deleted, and those of counter-notices; 365 at least ([Notices](#notices))",
  }),
}

export interface NoticesConfig extends ReturnType<typeof noticesConfig> {}

export function noticesConfig(reader: SettingsReader, left: RequestsConfig) {
  return { ...left, ...reader.values(noticesSettings) }
}
