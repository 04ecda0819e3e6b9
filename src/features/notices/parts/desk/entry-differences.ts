import { dayInWords } from '../../../../browser/format-instant.ts'
import { slotLabel, statusNames } from '../../../catalogue/editing/parts/content-words.ts'
import { basisNames, peopleNames, typeNames } from '../../../catalogue/item/field-lines.ts'
import { isLinkSlot } from '../../../catalogue/item/link-slots.ts'
import type { ReportedEntry } from '../../desk/desk-schema.ts'

/** A field of an entry as it was reported and as it is, in words; null where it is empty or not there. */
export interface ComparedField {
  label: string
  reported: string | null
  now: string | null
  isChanged: boolean
}

/**
 * An entry as it was reported beside the entry as it is, field by field, in the order of the form. Links stand under the names of
 * their hosts.
 * @param reported null where it was attached later, or nothing was kept
 * @param now null where it is not there any more
 */
export function comparedFields(
  reported: ReportedEntry | null,
  now: ReportedEntry | null,
  hostLabels: readonly string[],
): ComparedField[] {
  const slots = [...new Set([...(reported?.links ?? []), ...(now?.links ?? [])].map(({ slot }) => slot))]
  const fields: [label: string, read: (entry: ReportedEntry) => string | null][] = [
    ['Status', ({ status }) => statusNames[status]],
    ['Name', ({ name }) => name],
    ['Page', ({ path }) => path],
    ['Type', ({ contentType }) => nameIn(typeNames, contentType)],
    ['Category', ({ category }) => category],
    ['Post date', ({ postDate }) => dayInWords(postDate)],
    ...slots.map((slot): (typeof fields)[number] => [
      isLinkSlot(slot) ? slotLabel(slot, hostLabels) : slot,
      ({ links }) => links.find((link) => link.slot === slot)?.address ?? null,
    ]),
    ['Rights', ({ rights }) => rights.basis && nameIn(basisNames, rights.basis)],
    ['Holder', ({ rights }) => rights.holder],
    ['Licence', ({ rights }) => rights.licence],
    ['Evidence', ({ rights }) => rights.evidence],
    ['Attested by', ({ rights }) => rights.attestedBy],
    ['People', ({ people }) => people && nameIn(peopleNames, people)],
  ]
  return fields.flatMap(([label, read]) => {
    const [before, after] = [reported && read(reported), now && read(now)]
    if (before === null && after === null) return []
    // A missing entry has no changed fields.
    return [{ label, reported: before, now: after, isChanged: reported !== null && now !== null && before !== after }]
  })
}

function nameIn(names: Readonly<Record<string, string>>, name: string): string {
  return names[name] ?? name
}
