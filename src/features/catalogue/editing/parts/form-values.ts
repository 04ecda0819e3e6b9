import { type ContentType, regionOfType } from '../../item/content-type.ts'
import {
  type FieldName,
  fieldNames,
  type fields,
  type FieldWith,
  lineOf,
  type PathOf,
  pathOf,
} from '../../item/fields.ts'
import { type FieldLine } from '../../item/field-lines.ts'
import { typedNameOf } from '../../item/field-answers.ts'
import { type ContentSection, typesOf } from '../content-sections.ts'
import type { ItemForAdmin } from '../content-schema.ts'

/* The values of an item's form, as its fields hold them, and the request made from them. Pure: the form keeps
   nothing else. */

/** A consent as it is typed; without an id it is new. */
export interface ConsentValues {
  id?: string
  pseudonym: string
  permitsPublication: boolean
  permitsDownload: boolean
  evidence: string
  verifiedAdult: string
  validTo: string
  isWithdrawn: boolean
}

export type ItemPath = PathOf<Exclude<FieldName, FieldWith<{ group: null }>>>
const formFields = fieldNames.filter((name) => lineOf(name).group !== null)
const fieldByPath = new Map(formFields.map((name) => [pathOf(name) as ItemPath, name]))
const itemPaths: readonly ItemPath[] = [...fieldByPath.keys()]

export function fieldAt(path: ItemPath): FieldName {
  return fieldByPath.get(path) as FieldName
}

export function pathsOf(group: FieldLine['group']): readonly ItemPath[] {
  return itemPaths.filter((path) => lineOf(fieldAt(path)).group === group)
}

type TickPath = {
  [Name in FieldName]: (typeof fields)[Name]['kind']['control'] extends 'tick' ? PathOf<Name> : never
}[FieldName]
type TextPath = Exclude<ItemPath, TickPath>

export function isTick(path: ItemPath): path is TickPath {
  return lineOf(fieldAt(path)).kind.control === 'tick'
}

export type FormValues = Record<TextPath, string> & Record<TickPath, boolean> & { consents: ConsentValues[] }

export type FormFieldName = keyof FormValues

export const newConsent: ConsentValues = {
  pseudonym: '',
  permitsPublication: false,
  permitsDownload: false,
  evidence: '',
  verifiedAdult: 'unknown',
  validTo: '',
  isWithdrawn: false,
}

export function emptyValues(section: ContentSection): FormValues {
  const values = itemPaths.map((path) => {
    const { control, usual = '' } = lineOf(fieldAt(path)).kind
    return [path, control === 'tick' ? false : usual]
  })
  return {
    ...(Object.fromEntries(values) as Omit<FormValues, 'consents'>),
    contentType: (typesOf(section)[0] satisfies ContentType | undefined) ?? 'western',
    category: section === 'banned' ? 'Banned' : section === 'unknown' ? 'Unknown' : '',
    consents: [],
  }
}

export function valuesOf(item: ItemForAdmin): FormValues {
  const answers: Readonly<Record<string, unknown>> = {
    ...item,
    ...Object.fromEntries(Object.entries(item.rights).map(([name, answer]) => [`rights.${name}`, answer])),
    region: regionIsChosen(item.contentType) ? item.region : '',
    postDate: item.postDay,
  }
  const values = itemPaths.map((path) => {
    const name = fieldAt(path)
    const typed = typedNameOf(name)
    return [path, lineOf(name).kind.formOf((typed === undefined ? undefined : answers[typed]) ?? answers[path])]
  })
  return {
    ...(Object.fromEntries(values) as Omit<FormValues, 'consents'>),
    consents: item.consents.map(({ withdrawnAt, validTo, ...consent }) => ({
      ...consent,
      validTo: validTo ?? '',
      isWithdrawn: withdrawnAt !== null,
    })),
  }
}

/** Types of a region have that one; of the others the operator chooses. */
export function regionIsChosen(contentType: string): boolean {
  return regionOfType(contentType) === undefined
}

export function isSame(a: FormValues, b: FormValues): boolean {
  return changedIn(a, b).length === 0
}

export function changedIn(values: FormValues, base: FormValues): FormFieldName[] {
  return [
    ...itemPaths.filter((name) => values[name] !== base[name]),
    ...(isSameList(values.consents, base.consents) ? [] : (['consents'] as const)),
  ]
}

/** The fields that differ from what was sent; new consents with the ids that they have been saved under. */
export function typedSince(sent: FormValues, typed: FormValues, saved: FormValues): Partial<FormValues> {
  const consents = withIdsOf(saved.consents, sent.consents, typed.consents)
  return Object.fromEntries(changedIn(typed, sent).map((name) => [name, { ...typed, consents }[name]]))
}

/** The new ones stand in the order in which they were sent: none is removed while it is being saved. */
function withIdsOf(
  saved: readonly ConsentValues[],
  sent: readonly ConsentValues[],
  typed: readonly ConsentValues[],
): ConsentValues[] {
  const known = new Set(sent.map(({ id }) => id))
  const added = saved.flatMap(({ id }) => (id === undefined || known.has(id) ? [] : [id])).values()
  return typed.map((consent) => {
    const id = consent.id ?? added.next().value
    return id === undefined ? consent : { ...consent, id }
  })
}

function isSameList(a: readonly ConsentValues[], b: readonly ConsentValues[]): boolean {
  const text = (consents: readonly ConsentValues[]): string =>
    JSON.stringify(
      consents.map((one) =>
        Object.entries({ ...newConsent, ...one }).toSorted(([first], [second]) => (first < second ? -1 : 1)),
      ),
    )
  return text(a) === text(b)
}

export function bodyOf(values: FormValues, base: FormValues | undefined): Record<string, unknown> {
  const changed = new Set<FormFieldName>(base === undefined ? [...itemPaths, 'consents'] : changedIn(values, base))
  // A region belongs to the type: who changes one changes both.
  if (changed.has('contentType')) changed.add('region')
  const body: Record<string, unknown> = {}
  const rights: Record<string, unknown> = {}
  for (const name of changed) {
    if (name === 'consents') {
      // A withdrawal is noted, and lifted, by calls of its own.
      body[name] = values.consents.map(({ validTo, isWithdrawn: _flag, ...consent }) => ({
        ...consent,
        validTo: textOrNull(validTo),
      }))
      continue
    }
    const value = name === 'region' && !regionIsChosen(values.contentType) ? '' : values[name]
    const sent = lineOf(fieldAt(name)).kind.sentOf(value)
    if (name.startsWith('rights.')) rights[name.slice('rights.'.length)] = sent
    else body[name] = sent
  }
  if (Object.keys(rights).length > 0) body['rights'] = rights
  return body
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

/** Which of the fields that every item needs are empty: the browser's own check before a save. */
export function missingFields(values: FormValues): ('name' | 'link' | 'category')[] {
  return (['name', 'link', 'category'] as const).filter((name) => values[name].trim() === '')
}

export interface Difference {
  name: FormFieldName
  /** The side whose value is preselected: mine if I have changed it, else theirs. */
  usual: Side
}
export type Side = 'mine' | 'theirs'

/**
 * The differences between my draft and somebody else's newer version.
 * @param base what both began with
 */
export function differencesOf(mine: FormValues, theirs: FormValues, base: FormValues): Difference[] {
  const touched = new Set(changedIn(mine, base))
  return changedIn(mine, theirs).map((name) => ({ name, usual: touched.has(name) ? 'mine' : 'theirs' }))
}

export function mergedValues(
  mine: FormValues,
  theirs: FormValues,
  differences: readonly Difference[],
  choices: Partial<Record<FormFieldName, Side>>,
): FormValues {
  const taken = differences.filter(({ name, usual }) => (choices[name] ?? usual) === 'theirs')
  // That somebody withdrew is nobody's choice.
  const consents = mine.consents.map((consent) => ({
    ...consent,
    isWithdrawn: theirs.consents.find(({ id }) => id !== undefined && id === consent.id)?.isWithdrawn ?? false,
  }))
  return { ...mine, consents, ...Object.fromEntries(taken.map(({ name }) => [name, theirs[name]])) }
}
