import { type DoctorCheck, type ExaminedSettings, type Finding, good } from '../../../platform/doctor/doctor-check.ts'
import type { CatalogueConfig } from '../catalogue-config.server.ts'
import { openEvidenceStore } from './evidence-store.server.ts'

export const evidenceCheck: DoctorCheck<ExaminedSettings<CatalogueConfig>> = { about: 'Files of evidence', examine }

async function* examine({ config, log }: ExaminedSettings<CatalogueConfig>): AsyncGenerator<Finding> {
  if (config.evidenceUrl === undefined) return
  const names = openEvidenceStore(config, log).list()[Symbol.asyncIterator]()
  await names.next()
  await names.return?.()
  yield good('their bucket answers.')
}
