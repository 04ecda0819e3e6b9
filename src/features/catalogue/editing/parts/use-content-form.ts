import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { ApiError } from '../../../../browser/api-client.ts'
import { dropDraft, saveDraft, readDraft } from '../../../../browser/saved-draft.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import type { ContentType } from '../../item/content-type.ts'
import { type ContentSection, endpointOf, sectionOf } from '../content-sections.ts'
import { ItemForAdmin, Reason } from '../content-schema.ts'
import {
  bodyOf,
  type Difference,
  differencesOf,
  emptyValues,
  type FormFieldName,
  type FormValues,
  isSame,
  mergedValues,
  missingFields,
  type Side,
  valuesOf,
} from './form-values.ts'
import { type SavedForm, readSavedForm } from './saved-form.ts'
import { missingField } from './problems.ts'

const RefusalAnswer = z.object({ reasons: z.array(Reason) })
const Conflict = z.object({ current: ItemForAdmin })

/** Somebody else's version, saved while this form was open. */
export interface ContentConflict {
  theirs: FormValues
  version: number
  differences: readonly Difference[]
  /** The interrupted act, which continues once the two are one. */
  act: ContentAct
}

export type ContentAct = 'save' | 'publish' | 'unpublish'

export interface ContentFormState {
  values: FormValues
  item: ItemForAdmin | undefined
  isDirty: boolean
  isSaving: boolean
  /** It began with what was typed before a reload. */
  isRestored: boolean
  /** Somebody has deleted the entry: what was typed can become a new one. */
  isGone: boolean
  reasons: readonly Reason[]
  /** Why nothing was saved, where no field is to blame. */
  failure: string | undefined
  /** A needed field is empty. */
  isIncomplete: boolean
  /** Counts the refusals, so that each can lead to its first field. */
  refusals: number
  conflict: ContentConflict | undefined
  set: <Name extends FormFieldName>(name: Name, value: FormValues[Name]) => void
  save: (publish: boolean) => void
  unpublish: () => void
  settle: (choices: Partial<Record<FormFieldName, Side>>) => void
  leaveConflict: () => void
  /** Goes back to what is stored. */
  discard: () => void
  showFiles: (files: ItemForAdmin['evidenceFiles']) => void
  /** Goes on from the item after a call of its own that was made here, of a consent or a cover; what is typed stays. */
  goOnFrom: (item: ItemForAdmin) => void
  /** Goes on from the item as it is stored now, with the reasons of now; only for a form without changes of its own. */
  showStored: (item: ItemForAdmin) => void
}

/** The draft of an entry's form, or of a new one. */
export function savedFormOf(whose: string, form: string): (SavedForm & { values: FormValues }) | undefined {
  return readSavedForm(readDraft(whose, form))
}

/** The form of one item: what stands in its fields, what the server said of it, and what is kept for a reload. */
export function useContentForm({
  item: given,
  goneId,
  section,
  whose,
  clientKey,
  onSaved,
  onGone,
}: {
  /** Undefined for a new item. */
  item: ItemForAdmin | undefined
  /** The id of an entry that was deleted while its form was kept. */
  goneId: string | undefined
  section: ContentSection
  /** The email of the administrator, whose drafts are kept apart. */
  whose: string
  clientKey: string
  onSaved: (item: ItemForAdmin, before: ItemForAdmin | undefined) => void
  /** A save has found that somebody has deleted the entry. */
  onGone: (id: string) => void
}): ContentFormState {
  const form = goneId ?? given?.id ?? `new ${section}`
  const [kept] = useState(() => savedFormOf(whose, form))
  const [item, setItem] = useState(given)
  const [stored, setStored] = useState<SavedForm>(
    () => kept ?? { base: given === undefined ? emptyValues(section) : valuesOf(given), version: given?.version ?? 0 },
  )
  const [isGone, setIsGone] = useState(goneId !== undefined)
  const [values, setValues] = useState<FormValues>(() => {
    const first = kept?.values ?? stored.base
    return isGone ? withoutIds(first) : first
  })
  const [isRestored, setIsRestored] = useState(kept?.values !== undefined)
  const [reasons, setReasons] = useState<readonly Reason[]>([])
  const [failure, setFailure] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const [conflict, setConflict] = useState<ContentConflict>()
  const isDirty = !isSame(values, stored.base)

  useEffect(() => {
    // Nothing is stored of a deleted entry: all that its form shows is kept.
    if (isDirty || isGone) saveDraft(whose, form, { ...stored, values })
    else dropDraft(whose, form)
  }, [whose, form, stored, values, isDirty, isGone])

  const begin = (saved: ItemForAdmin): void => {
    setItem(saved)
    setStored({ base: valuesOf(saved), version: saved.version })
    setValues(valuesOf(saved))
    setIsRestored(false)
    setIsGone(false)
    setReasons([])
    setFailure(undefined)
    setConflict(undefined)
    dropDraft(whose, form)
  }

  const refuse = (
    error: ApiError,
    usual: string,
    sent: { values: FormValues; base: FormValues; act: ContentAct },
  ): void => {
    recheckAccess(error)
    setRefusals((count) => count + 1)
    const overtaken = Conflict.safeParse(error.data)
    if (error.status === 409 && overtaken.success) {
      const { current } = overtaken.data
      const theirs = valuesOf(current)
      setItem(current)
      const differences = differencesOf(sent.values, theirs, sent.base)
      // The form still stands on the version that it began with, also after a reload, until the two are one.
      setConflict({ theirs, version: current.version, differences, act: sent.act })
      return
    }
    if (error.status === 404 && item !== undefined) {
      setIsGone(true)
      setItem(undefined)
      setValues(withoutIds)
      setReasons([])
      onGone(item.id)
      return
    }
    const refusal = RefusalAnswer.safeParse(error.data)
    if (refusal.success) setReasons(refusal.data.reasons)
    else setFailure(error.sentence === undefined ? usual : `${usual} ${error.sentence}`)
  }

  interface Sending {
    publish: boolean
    values: FormValues
    base: FormValues
    version: number
  }
  const saving = useApiMutation<ItemForAdmin, Sending>({
    mutationFn: (sent) =>
      item === undefined
        ? requestAsAdmin(endpointOf(sectionOf(sent.values.contentType as ContentType)), ItemForAdmin, {
            method: 'POST',
            clientKey,
            body: { ...bodyOf(sent.values, undefined), publish: sent.publish },
          })
        : requestAsAdmin(`${endpointOf(sectionOf(item.contentType))}/${item.id}`, ItemForAdmin, {
            method: 'PUT',
            clientKey,
            body: { ...bodyOf(sent.values, sent.base), version: sent.version, publish: sent.publish },
          }),
    onSuccess(saved) {
      begin(saved)
      onSaved(saved, item)
    },
    onError(error, sent) {
      refuse(
        error,
        item === undefined ? 'Failed to add content. Please try again.' : 'Failed to update content. Please try again.',
        { ...sent, act: sent.publish ? 'publish' : 'save' },
      )
    },
  })
  const unpublishing = useApiMutation<ItemForAdmin, { values: FormValues; base: FormValues; version: number }>({
    mutationFn: ({ version }) =>
      requestAsAdmin(`/api/items/${item?.id ?? ''}/unpublish`, ItemForAdmin, {
        method: 'POST',
        clientKey,
        body: { version },
      }),
    onSuccess(saved) {
      setItem(saved)
      // The draft stays; it is compared with the same content under its new version.
      setStored({ base: valuesOf(saved), version: saved.version })
      onSaved(saved, item)
    },
    onError: (error, sent) =>
      refuse(error, 'Failed to update content. Please try again.', { ...sent, act: 'unpublish' }),
  })
  const isSaving = saving.isPending || unpublishing.isPending

  const send = (sent: Sending): void => {
    setFailure(undefined)
    const missing = missingFields(sent.values)
    // Told at once. It is sent all the same: the server knows every other reason too.
    setReasons(missing.map((field) => ({ code: missingField, field, sentence: '', remedy: '' })))
    saving.mutate(sent)
  }

  return {
    values,
    item,
    isDirty,
    isSaving,
    isRestored,
    isGone,
    reasons,
    failure,
    isIncomplete: reasons.some(({ code }) => code === missingField),
    refusals,
    conflict,
    set(name, value) {
      setValues((before) => ({ ...before, [name]: value }))
      setReasons((before) => before.filter(({ field }) => field !== name && !field.startsWith(`${name}.`)))
    },
    save(publish) {
      if (!isSaving) send({ publish, ...stored, values })
    },
    unpublish() {
      if (!isSaving) unpublishing.mutate({ ...stored, values })
    },
    settle(choices) {
      if (conflict === undefined || isSaving) return
      const merged = mergedValues(values, conflict.theirs, conflict.differences, choices)
      const settled = { base: conflict.theirs, version: conflict.version }
      setValues(merged)
      setStored(settled)
      setConflict(undefined)
      if (conflict.act === 'unpublish') unpublishing.mutate({ values: merged, ...settled })
      else send({ publish: conflict.act === 'publish', values: merged, ...settled })
    },
    leaveConflict: () => setConflict(undefined),
    discard() {
      if (isGone) {
        // There is nothing to go back to: the form closes.
        dropDraft(whose, form)
        return
      }
      setValues(stored.base)
      setIsRestored(false)
      setReasons([])
      setFailure(undefined)
    },
    showFiles: (evidenceFiles) => setItem((before) => before && { ...before, evidenceFiles }),
    showStored(current) {
      setItem(current)
      setStored({ base: valuesOf(current), version: current.version })
      setValues(valuesOf(current))
      // Reasons stand there after a refusal alone.
      setReasons((before) => (before.length === 0 ? before : current.reasons))
      setFailure(undefined)
    },
    goOnFrom(changed) {
      setItem(changed)
      // Its call raises the version by one. Anything else is somebody else's edit, which a save must meet.
      if (changed.version === stored.version + 1) setStored({ base: valuesOf(changed), version: changed.version })
    },
  }
}

/** The consents of a deleted entry went with it: those of a new one are given no ids. */
function withoutIds(values: FormValues): FormValues {
  return { ...values, consents: values.consents.map(({ id: _id, ...consent }) => consent) }
}
