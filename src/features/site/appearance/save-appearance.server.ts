import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { writeSiteText } from '../../office/texts/save-site-text.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { moneyInWords } from '../../membership/plans/format-money.ts'
import { plans, planTypes } from '../../membership/plans/plans.ts'
import type { SiteApp } from '../app.ts'
import type { Appearance, AppearanceForAdmin } from './appearance-schema.ts'
import { appearanceKey, faultOfAppearance, noAppearance } from './appearance.ts'

type AppearanceApp = Pick<SiteApp, 'db' | 'texts' | 'clock' | 'config'>

/** Marks that were stored and not saved are kept so long: somebody may still be at the form. */
const unsavedMs = 86_400_000

/** The appearance as administrators edit it, from the database itself. */
export async function readAppearance({ db, texts, config }: AppearanceApp): Promise<AppearanceForAdmin> {
  const saved = (await texts.readSaved(db)).get(appearanceKey)
  return {
    appearance: appearanceIn(saved?.value ?? null),
    version: saved?.version ?? 0,
    changedAt: saved?.value == null ? null : saved.changedAt.toISOString(),
    prices: planTypes.map((type) => {
      const { name, priceCents, currency, interval } = plans[type]
      return { plan: name, price: `${moneyInWords(priceCents, currency)} a ${interval}` }
    }),
    isSelling: !config.payments.isOff,
  }
}

function appearanceIn(text: string | null): Appearance {
  return text === null || text === '' ? noAppearance : (JSON.parse(text) as Appearance)
}

/**
 * Saves the appearance, or goes back to the house's own; on every page of every instance within a second.
 * @param wanted.appearance null: the house's own
 * @param wanted.version the version that it was read with
 * @throws {AppError} `appearance.invalid`, 422; `appearance.conflict`, 409, with the appearance as it is now
 */
export async function saveAppearance(
  app: AppearanceApp,
  viewer: Viewer,
  { appearance, version }: { appearance: Appearance | null; version: number },
): Promise<AppearanceForAdmin> {
  const { db, texts, clock } = app
  const by = { memberId: requireMember(viewer).id }
  const fault = appearance === null ? undefined : faultOfAppearance(appearance)
  if (fault !== undefined) throw badAppearance(fault.message, { field: fault.field })
  const isSaved = await db.transaction().execute(async (trx) => {
    const mark = appearance?.mark ?? ''
    if (mark !== '') {
      const stored = await trx.selectFrom('brand_marks').select('hash').where('hash', '=', mark).executeTakeFirst()
      if (stored === undefined)
        throw badAppearance('The mark is not there any more. Choose it again.', { field: 'mark' })
    }
    const before = appearanceIn((await texts.readSaved(trx)).get(appearanceKey)?.value ?? null)
    const value = appearance === null ? null : JSON.stringify(appearance)
    const written = await writeSiteText(trx, { key: appearanceKey, value, version, now: clock.now() })
    if (written === undefined) return false
    await trx
      .deleteFrom('brand_marks')
      .where('hash', '<>', mark)
      .where('stored_at', '<', new Date(clock.now() - unsavedMs))
      .execute()
    await recordAuditEvent(trx, {
      action: 'settings.appearance_saved',
      by,
      subject: { kind: 'setting', id: appearanceKey },
      details: {
        ...changesOf(before, appearance ?? noAppearance),
        isFirstValue: appearance === null,
        version: version + 1,
      },
    })
    return true
  })
  const current = await readAppearance(app)
  if (!isSaved) throw appearanceConflict({ details: { current } })
  return current
}

function changesOf(before: Appearance, after: Appearance): Record<string, { before: string; after: string }> {
  const [old, now] = [linesOf(before), linesOf(after)]
  return Object.fromEntries(
    Object.entries(now).flatMap(([name, value]) =>
      old[name] === value ? [] : [[name, { before: old[name] ?? '', after: value }]],
    ),
  )
}

function linesOf({ colours, links, banner, mark, hidesName }: Appearance): Record<string, string> {
  return {
    ...Object.fromEntries(Object.entries(colours).map(([shelf, colour]) => [`${shelf}Colour`, colour])),
    links: links.map(({ label, to }) => `${label} (${to})`).join(', '),
    banner: [banner.text, banner.to].filter((part) => part !== '').join(' → '),
    bannerFrom: banner.from,
    bannerUntil: banner.until,
    mark: mark === '' ? '' : mark.slice(0, 12),
    nameBesideMark: hidesName ? 'no' : 'yes',
  }
}

export const badAppearance = defineError({
  code: 'appearance.invalid',
  status: 422,
  remedy: 'Correct the field that the answer names; the sentence says which of its rules is not kept.',
})

export const appearanceConflict = defineError({
  code: 'appearance.conflict',
  status: 409,
  sentence: 'Somebody else has saved the appearance meanwhile. Compare both, and save again.',
  members: { current: 'the appearance as it is now.' },
  remedy: 'Compare with the appearance under `current`, and save with its version.',
})
