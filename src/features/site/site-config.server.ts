import type { SettingsReader } from '../../platform/config/config.ts'
import { emailOrWebAddress } from '../../platform/config/kinds.ts'
import { setting } from '../../platform/config/setting.ts'
import type { NoticesConfig } from '../notices/notices-config.server.ts'

export const siteSettings = {
  securityContact: setting({
    name: 'SECURITY_CONTACT',
    kind: emailOrWebAddress,
    byDefault: 'unset: there is no such file',
    sentence: 'whom to tell of a weakness, an email or https address; stands in `/.well-known/security.txt`',
  }),
}

export interface SiteConfig extends ReturnType<typeof siteConfig> {}

export function siteConfig(reader: SettingsReader, left: NoticesConfig) {
  return { ...left, ...reader.values(siteSettings) }
}
