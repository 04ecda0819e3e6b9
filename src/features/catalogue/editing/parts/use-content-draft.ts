import { useEffect, useState } from 'react'
import { dropDraft, readDraft, saveDraft } from '../../../../browser/saved-draft.ts'
import type { ContentSection } from '../content-sections.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import { emptyValues, type FormValues, isSame, typedSince, valuesOf } from './form-values.ts'
import { useLocation } from 'react-router'

export function savedFormOf(whose: string, form: string): (SavedForm & { values: FormValues }) | undefined {
  return readSavedForm(readDraft(whose, form))
}

export interface EditedItem {
  /** Undefined for a new item. */
  item: ItemForAdmin | undefined
  goneId: string | undefined
  section: ContentSection
  /** The email of the administrator, whose drafts are kept apart. */
  whose: string
}

/** The values of a form over what is stored of its item. They are kept for a reload until they are saved or discarded. */
export function useContentDraft({ item: given, goneId, section, whose }: EditedItem) {
  const form = goneId ?? given?.id ?? `new ${section}`
  const [kept] = useState(() => savedFormOf(whose, form))
  const [item, setItem] = useState(given)
  const [stored, setStored] = useState<SavedForm>(
    () => kept ?? { base: given === undefined ? emptyValues(section) : valuesOf(given), version: given?.version ?? 0 },
  )
  const [isGone, setIsGone] = useState(goneId !== undefined)
  const fillIn = useFilledIn()
  const [values, setValues] = useState<FormValues>(() => {
    const first = fillIn(kept?.values ?? stored.base)
    return isGone ? withoutIds(first) : first
  })
  const [isRestored, setIsRestored] = useState(kept !== undefined)
  const isDirty = !isSame(values, stored.base)

  useEffect(() => {
    // Nothing is stored of a deleted entry: all that its form shows is kept.
    if (isDirty || isGone) saveDraft(whose, form, { ...stored, values })
    else dropDraft(whose, form)
  }, [whose, form, stored, values, isDirty, isGone])

  return {
    item,
    stored,
    values,
    isGone,
    isRestored,
    isDirty,
    setItem,
    setStored,
    setValues,
    /** @param sent the values that it was saved with: those typed since then stay */
    begin(saved: ItemForAdmin, sent?: FormValues): void {
      setItem(saved)
      setStored({ base: valuesOf(saved), version: saved.version })
      const base = valuesOf(saved)
      setValues((typed) => ({ ...base, ...(sent === undefined ? {} : typedSince(sent, typed, base)) }))
      setIsRestored(false)
      setIsGone(false)
      dropDraft(whose, form)
    },
    /** Stands on the item as it is stored now; what is typed stays. */
    standOn(saved: ItemForAdmin): void {
      setItem(saved)
      setStored({ base: valuesOf(saved), version: saved.version })
    },
    /** The entry was deleted: what was typed can become a new one. */
    loseItem(): void {
      setIsGone(true)
      setItem(undefined)
      setValues(withoutIds)
    },
    /** Goes back to what is stored. The form of a deleted entry has nothing to go back to, and closes. */
    discard(): void {
      if (isGone) return dropDraft(whose, form)
      setValues(stored.base)
      setIsRestored(false)
    },
  }
}

/** The consents of a deleted entry went with it: those of a new one are given no ids. */
function withoutIds(values: FormValues): FormValues {
  return { ...values, consents: values.consents.map(({ id: _id, ...consent }) => consent) }
}

interface SavedForm {
  base: FormValues
  /** The version of the item that it began with; 0 for a new one. */
  version: number
  values?: FormValues
}

/** Undefined if another version of the site saved it. */
export function readSavedForm(content: unknown): (SavedForm & { values: FormValues }) | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { base, version, values } = content as Record<string, unknown>
  return isFormValues(base) && isFormValues(values) && typeof version === 'number'
    ? { base, version, values }
    : undefined
}

function isFormValues(content: unknown): content is FormValues {
  if (typeof content !== 'object' || content === null) return false
  const given = content as Record<string, unknown>
  return Object.entries(emptyValues('western')).every(([name, value]) =>
    Array.isArray(value) ? Array.isArray(given[name]) : typeof given[name] === typeof value,
  )
}

/** The values that the address fills in beside what is stored: `name` of a new entry, and one more title under `alsoKnownAs`. */
function useFilledIn(): (values: FormValues) => FormValues {
  const { search } = useLocation()
  // As it was when the form was opened.
  const [requested] = useState(() => new URLSearchParams(search))
  return (values) => {
    const name = requested.get('name') ?? ''
    const title = requested.get('alsoKnownAs') ?? ''
    const titles = values.alsoKnownAs.split(';').map((one) => one.trim())
    return {
      ...values,
      name: values.name === '' ? name : values.name,
      alsoKnownAs:
        title === '' || titles.includes(title)
          ? values.alsoKnownAs
          : [...titles, title.replaceAll(';', ',')].filter((one) => one !== '').join('; '),
    }
  }
}
