import { counted } from '../../../platform/counted.ts'
import type { Waiting } from '../../office/contributions.ts'
import type { CatalogueApp } from '../app.ts'
import { countLapsed, readNextLapse } from './read-rights.server.ts'
import { lapseDays } from './rights-schema.ts'

/** Published items whose rights, or a consent, end soon. They are told ahead: beside the link only what was taken off is counted. */
export async function readLapsingItems(app: Pick<CatalogueApp, 'db'>): Promise<Waiting | undefined> {
  const next = await readNextLapse(app)
  if (next === undefined) return undefined
  const { count, name, at } = next
  const sentence =
    count === 1
      ? `The rights of “${name}” end within ${lapseDays} days`
      : `The rights of ${count.toLocaleString('en-US')} entries end within ${lapseDays} days, those of “${name}” first`
  return { group: 'rights', sentence, count: 0, until: at, verb: 'Renew', to: '/admin/rights?show=lapsing' }
}

/** Items that the site has taken off by itself. */
export async function readLapsedItems(app: Pick<CatalogueApp, 'db'>): Promise<Waiting | undefined> {
  const count = await countLapsed(app)
  if (count === 0) return undefined
  const sentence = `${counted(count, 'entry was', 'entries were')} taken off the site: rights or a consent ended, or the gate refuses them`
  return { group: 'rights', sentence, count, verb: 'Renew', to: '/admin/rights?show=lapsed' }
}
