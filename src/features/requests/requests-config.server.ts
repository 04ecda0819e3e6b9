import type { SettingsReader } from '../../platform/config/config.ts'
import { webAddress } from '../../platform/config/kinds.ts'
import { setting } from '../../platform/config/setting.ts'
import type { CatalogueConfig } from '../catalogue/catalogue-config.server.ts'

export const requestsSettings = {
  supportFormUrl: setting({
    name: 'SUPPORT_FORM_URL',
    kind: webAddress,
    sentence:
      'an external form service that takes inquiries as JSON ([Inquiries](#inquiries)). Unset: they are kept here and mailed to `CONTACT_EMAIL`',
  }),
}

export interface RequestsConfig extends ReturnType<typeof requestsConfig> {}

export function requestsConfig(reader: SettingsReader, left: CatalogueConfig) {
  return { ...left, ...reader.values(requestsSettings) }
}
