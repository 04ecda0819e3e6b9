import { type RawBuilder, sql } from 'kysely'
import type { Invariant } from '../../office/contributions.ts'

/** The time within which the job of the minute must restrict a lapsed item, by the database's clock. */
const lapseTolerance = '5 minutes'

const restore =
  'Somebody has written into the tables past their rules, or one of the rules is gone. Take these entries off the site, look who may write to the database, and restore the last backup where you do not know what was changed.'

const ended = (at: RawBuilder<unknown>): RawBuilder<unknown> => sql`${at} <= now() - ${lapseTolerance}::interval`

/** An invariant of the published items; `breaks` says of one, `i`, whether it breaks it. */
function ofPublished({
  breaks,
  advice = restore,
  ...invariant
}: Pick<Invariant, 'name' | 'headline' | 'sentence'> & { breaks: RawBuilder<unknown>; advice?: string }): Invariant {
  return {
    ...invariant,
    advice,
    over: { table: sql`items`, key: 'no', type: 'integer' },
    findBroken: (batch) => sql`select i.id::text as id from ${batch} i where i.status = 'published' and (${breaks})`,
    to: (id) => `/admin/settings?edit=${id}`,
  }
}

/** The invariants of published items (docs/spec/publishing.md#invariants): the rules of the gate, asked anew. */
export const publishingInvariants: readonly Invariant[] = [
  ofPublished({
    name: 'items.cleared',
    headline: 'Published entries without a clearance',
    sentence: 'They are published, and no clearance covers exactly their version and content.',
    breaks: sql`i.cleared_version is distinct from i.version or not exists (
      select from clearances c where c.item_id = i.id and c.version = i.version and c.fingerprint = i.fingerprint)`,
  }),
  ofPublished({
    name: 'items.rights-recorded',
    headline: 'Published entries without the rights they need',
    sentence:
      'They are published, and their record of rights, evidence, permissions, people or links is not whole, or the rights were revoked.',
    breaks: sql`i.rights_basis is null or i.rights_attested_at is null or i.rights_revoked_at is not null
      or (i.rights_holder is null and i.rights_basis in ('license', 'assignment', 'work_for_hire'))
      or i.rights_evidence is null or not i.permits_download or (i.content_type like 'vip%' and not i.permits_paid_access)
      or i.people is null or i.link is null`,
  }),
  ofPublished({
    name: 'items.rights-in-time',
    headline: 'Published entries whose rights have ended or not begun',
    sentence: 'They are published, and their rights have ended or have not begun, by the clock of the database.',
    breaks: sql`i.rights_valid_from > now() or ${ended(sql`i.rights_valid_until`)}`,
    advice:
      'If the site stood still, start it: it restricts them before anything else. Otherwise look whether the job catalogue.restrict-lapsed runs, and take the entries off the site.',
  }),
  ofPublished({
    name: 'items.consents',
    headline: 'Published entries without a consent they need',
    sentence:
      'They are published, and a consent that they need is missing, withdrawn or over, or somebody shown is not verified as an adult.',
    breaks: sql`exists (select from consent_records c where c.item_id = i.id and bars_publication(c))
      or i.people = 'identifiable' and (
        not exists (select from consent_records c where c.item_id = i.id)
        or exists (select from consent_records c where c.item_id = i.id
                    and (not (c.permits_publication and c.permits_download and c.verified_adult = 'yes')
                         or ${ended(sql`c.valid_until`)})))`,
    advice:
      'Take these entries off the site at once. Then record what is missing: the gate says of each entry what that is.',
  }),
  ofPublished({
    name: 'items.lapse-recorded',
    headline: 'Published entries that would outlive their rights',
    sentence: 'They are published, and the instant from which they are hidden is not that at which their rights end.',
    breaks: sql`i.lapses_at is distinct from least(i.rights_valid_until, case when i.people = 'identifiable' then
      (select min(c.valid_until) from consent_records c where c.item_id = i.id) end)`,
  }),
  ofPublished({
    name: 'items.category',
    headline: 'Published entries whose type and category do not go together',
    sentence: 'They are published, and no page shows their type with their category.',
    breaks: sql`i.content_type in ('banned', 'unknown', 'vip-banned', 'vip-unknown') and not exists (
      select from categories c where c.id = i.category_id
         and category_suits(i.content_type, c.name_folded) and category_suits(i.content_type, lower(c.name)))`,
    advice: 'Open these entries and choose a category that their type needs.',
  }),
  ofPublished({
    name: 'items.links-not-blocked',
    headline: 'Published entries with a link that a removal has blocked',
    sentence: 'They are published, and a link of theirs is blocked, or what it is blocked by was not noted.',
    breaks: sql`exists (select from blocked_links b where b.fingerprint = any(i.link_fingerprints))
      or not exact_fingerprints(array[i.link, i.link2, i.link_g, i.link_p, i.link_mv1, i.link_mv2, i.link_mv3, i.link_mv4])
             <@ i.link_fingerprints`,
  }),
  ofPublished({
    name: 'items.not-held',
    headline: 'Published entries that a notice keeps off the site',
    sentence: 'They are published, and an open notice, or a decision on one, keeps them off the site.',
    breaks: sql`exists (select from item_holds h where h.item_id = i.id and h.hides and h.released_at is null)`,
  }),
  {
    name: 'items.removals',
    headline: 'Removed entries without a record of their removal',
    sentence: 'They are removed, and no removal that stands says why: their pages cannot tell.',
    advice: restore,
    over: { table: sql`items`, key: 'no', type: 'integer' },
    findBroken: (batch) => sql`
      select i.id::text as id from ${batch} i where i.status = 'removed' and not has_standing_removal(i.id)`,
    to: (id) => `/admin/settings?edit=${id}`,
  },
  {
    name: 'items.new-ids',
    headline: 'Entries under the id of a deleted one',
    sentence: 'Their ids are those of entries that were deleted, whose clearances are still there.',
    advice: restore,
    over: { table: sql`items`, key: 'no', type: 'integer' },
    findBroken: (batch) => sql`select i.id::text as id from ${batch} i join deleted_items d on d.item_id = i.id`,
    to: (id) => `/admin/settings?edit=${id}`,
  },
]
