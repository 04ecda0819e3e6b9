import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { OfficeTables } from '../../../db/tables/office.ts'
import { defineError } from '../../../platform/errors.ts'
import type { OfficeApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../viewer/viewer.ts'
import { faultOfText, tidyText } from './check-text.ts'
import { type DeclaredText, siteTextGroups } from './site-text.ts'
import type { SavedText, SiteTexts } from './site-texts.server.ts'
import type { SiteTextForAdmin } from './texts-schema.ts'

/** All texts as administrators edit them, from the database itself: what somebody else has just saved is there. */
export async function readSiteTexts({ db, texts }: Pick<OfficeApp, 'db' | 'texts'>): Promise<SiteTextForAdmin[]> {
  const saved = await texts.readSaved(db)
  return texts.declared
    .filter(({ isHidden = false }) => !isHidden)
    .map((text) => asEdited(texts, text, saved.get(text.key)))
    .toSorted((a, b) => siteTextGroups.indexOf(a.group) - siteTextGroups.indexOf(b.group))
}

function asEdited(texts: SiteTexts, text: DeclaredText, saved: SavedText | undefined): SiteTextForAdmin {
  const { key, label, help, group, kind, maxLength, maxLines = null, columns = null, isOptional = false } = text
  const firstValue = texts.first(text)
  const value = saved?.value ?? null
  return {
    key,
    label,
    help,
    group,
    kind,
    maxLength,
    maxLines,
    columns,
    isOptional,
    value: value ?? firstValue,
    firstValue,
    isChanged: value !== null,
    version: saved?.version ?? 0,
    changedAt: saved?.changedAt.toISOString() ?? null,
  }
}

/**
 * Saves a text, or restores its first value; in force on every instance within a second. For a changed address the
 * administrators and the old address are notified.
 * @param wanted.value null: the first value
 * @param wanted.version the version that it was read with
 * @throws {AppError} `text.not_found`, 404; `text.invalid`, 422; `text.conflict`, 409, with the text as it is now
 */
export async function saveSiteText(
  app: Pick<OfficeApp, 'db' | 'texts' | 'clock' | 'people'>,
  viewer: Viewer,
  { key, value, version }: { key: string; value: string | null; version: number },
): Promise<SiteTextForAdmin> {
  const { db, texts, clock, people } = app
  const by = { memberId: requireMember(viewer).id }
  const text = texts.declared.find((declared) => declared.key === key)
  if (text === undefined || text.isHidden === true) throw noSuchText()
  const tidy = value === null ? null : tidyText(value, text.kind)
  const fault = tidy === null ? undefined : faultOfText(tidy, text)
  if (fault !== undefined) throw badText(fault)
  const saved = await db.transaction().execute(async (trx) => {
    const before = (await texts.readSaved(trx)).get(key)?.value ?? texts.first(text)
    const written = await writeSiteText(trx, { key, value: tidy, version, now: clock.now() })
    if (written === undefined) return undefined
    const after = tidy ?? texts.first(text)
    // A changed address redirects people's mail.
    if (text.kind === 'email' && after !== before) {
      const address = { label: text.label, before, after }
      await people.notifyOfAddress(trx, { by, address })
    }
    await recordAuditEvent(trx, {
      action: 'settings.texts_saved',
      by,
      subject: { kind: 'setting', id: key },
      details: {
        before: textForAudit(before),
        after: textForAudit(after),
        isFirstValue: tidy === null,
        version: version + 1,
      },
    })
    return { value: tidy, version: version + 1, changedAt: written.changed_at }
  })
  if (saved !== undefined) return asEdited(texts, text, saved)
  throw textConflict({ details: { current: asEdited(texts, text, (await texts.readSaved(db)).get(key)) } })
}

/**
 * Writes the row of a text over the version that it was read with.
 * @returns undefined where another version is there
 */
export async function writeSiteText(
  trx: Transaction<OfficeTables>,
  { key, value, version, now }: { key: string; value: string | null; version: number; now: number },
): Promise<{ changed_at: Date } | undefined> {
  const row = { value, version: version + 1, changed_at: new Date(now) }
  return version === 0
    ? trx
        .insertInto('site_texts')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('changed_at')
        .executeTakeFirst()
    : trx
        .updateTable('site_texts')
        .set(row)
        .where('key', '=', key)
        .where('version', '=', version)
        .returning('changed_at')
        .executeTakeFirst()
}

export const noSuchText = defineError({
  code: 'text.not_found',
  status: 404,
  sentence: 'There is no such text.',
  remedy: 'Take the key from GET /api/texts.',
})

export const badText = defineError({
  code: 'text.invalid',
  status: 422,
  field: 'value',
  remedy: 'Correct the text; the sentence says which of its rules is not kept.',
})

export const textConflict = defineError({
  code: 'text.conflict',
  status: 409,
  sentence: 'Somebody else has saved this text meanwhile. Compare both, and save again.',
  members: { current: 'the text as it is now.' },
  remedy: 'Compare with the text under `current`, and save with its version.',
})

const longestWhole = 1_000

/** A text as the audit log keeps it: whole, or where it is long its beginning with what tells it apart. */
function textForAudit(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= longestWhole) return text
  const digest = createHash('sha256').update(text).digest('hex')
  const length = characters.length.toLocaleString('en-US')
  return `${characters.slice(0, longestWhole).join('')}… (${length} characters, SHA-256 ${digest})`
}
