import { dayOf } from '../../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../../app.ts'
import type { ListSite } from './list-query.ts'

export function listSite({ config, texts, clock }: Pick<CatalogueApp, 'config' | 'texts' | 'clock'>): ListSite {
  const { publicUrl, timeZone } = config
  return {
    brandName: texts.inForce.brandName,
    publicUrl,
    timeZone,
    today: dayOf(clock.now(), timeZone),
  }
}
