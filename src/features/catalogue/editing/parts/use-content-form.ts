import { useState } from 'react'
import * as z from 'zod/mini'
import type { ApiError } from '../../../../browser/api-client.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import type { ContentType } from '../../item/content-type.ts'
import { endpointOf, sectionOf } from '../content-sections.ts'
import { ItemForAdmin, Reason } from '../content-schema.ts'
import {
  bodyOf,
  type Difference,
  differencesOf,
  type FormFieldName,
  type FormValues,
  mergedValues,
  missingFields,
  type Side,
  valuesOf,
} from './form-values.ts'
import { missingField } from './problems.ts'
import { type EditedItem, useContentDraft } from './use-content-draft.ts'

const RefusalAnswer = z.object({ reasons: z.array(Reason) })
const Conflict = z.object({ current: ItemForAdmin })

export interface ContentConflict {
  theirs: FormValues
  version: number
  differences: readonly Difference[]
  act: ContentAct
}

export type ContentAct = 'save' | 'publish' | 'unpublish'

interface Sent {
  values: FormValues
  base: FormValues
  version: number
}
interface Saving extends Sent {
  publish: boolean
}

export function useContentForm({
  onSaved,
  onGone,
  ...edited
}: EditedItem & {
  onSaved: (item: ItemForAdmin, before: ItemForAdmin | undefined) => void
  onGone: (id: string) => void
}) {
  const draft = useContentDraft(edited)
  const { item, stored, values, isGone, isRestored, isDirty } = draft
  const [reasons, setReasons] = useState<readonly Reason[]>([])
  /** Why nothing was saved, where no field is to blame. */
  const [failure, setFailure] = useState<string>()
  /** So that each can lead to its first field. */
  const [refusals, setRefusals] = useState(0)
  const [conflict, setConflict] = useState<ContentConflict>()

  const refuse = (error: ApiError, usual: string, sent: Sent, act: ContentAct): void => {
    recheckAccess(error)
    setRefusals((count) => count + 1)
    const overtaken = Conflict.safeParse(error.data)
    if (error.status === 409 && overtaken.success) {
      const { current } = overtaken.data
      const theirs = valuesOf(current)
      draft.setItem(current)
      // The form still stands on the version that it began with, also after a reload, until the two are one.
      const differences = differencesOf(sent.values, theirs, sent.base)
      setConflict({ theirs, version: current.version, differences, act })
    } else if (error.status === 404 && item !== undefined) {
      draft.loseItem()
      setReasons([])
      onGone(item.id)
    } else {
      const refusal = RefusalAnswer.safeParse(error.data)
      if (refusal.success) setReasons(refusal.data.reasons)
      else setFailure(error.sentence === undefined ? usual : `${usual} ${error.sentence}`)
    }
  }

  const saving = useApiMutation<ItemForAdmin, Saving>({
    mutationFn: ({ values, base, version, publish }) =>
      item === undefined
        ? requestAsAdmin(endpointOf(sectionOf(values.contentType as ContentType)), ItemForAdmin, {
            method: 'POST',
            body: { ...bodyOf(values, undefined), publish },
          })
        : requestAsAdmin(`${endpointOf(sectionOf(item.contentType))}/${item.id}`, ItemForAdmin, {
            method: 'PUT',
            body: { ...bodyOf(values, base), version, publish },
          }),
    onSuccess(saved, sent) {
      draft.begin(saved, sent.values)
      setReasons([])
      setFailure(undefined)
      setConflict(undefined)
      onSaved(saved, item)
    },
    onError(error, sent) {
      const usual = `Failed to ${item === undefined ? 'add' : 'update'} content. Please try again.`
      refuse(error, usual, sent, sent.publish ? 'publish' : 'save')
    },
  })
  const unpublishing = useApiMutation<ItemForAdmin, Sent>({
    mutationFn: ({ version }) =>
      requestAsAdmin(`/api/items/${item?.id ?? ''}/unpublish`, ItemForAdmin, {
        method: 'POST',
        body: { version },
      }),
    onSuccess(saved) {
      draft.standOn(saved)
      onSaved(saved, item)
    },
    onError: (error, sent) => refuse(error, 'Failed to update content. Please try again.', sent, 'unpublish'),
  })
  const isSaving = saving.isPending || unpublishing.isPending
  /** Each raises the version: a save that overtakes the cover, or the other way round, would be refused for its old one. */
  const [isChangingCover, setIsChangingCover] = useState(false)
  const isBusy = isSaving || isChangingCover

  const send = (sent: Saving): void => {
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
    isBusy,
    setIsChangingCover,
    isRestored,
    isGone,
    reasons,
    failure,
    isIncomplete: reasons.some(({ code }) => code === missingField),
    refusals,
    conflict,
    set<Name extends FormFieldName>(name: Name, value: FormValues[Name]): void {
      draft.setValues((before) => ({ ...before, [name]: value }))
      setReasons((before) => before.filter(({ field }) => field !== name && !field.startsWith(`${name}.`)))
    },
    save(publish: boolean): void {
      if (!isBusy) send({ publish, ...stored, values })
    },
    unpublish(): void {
      if (!isBusy) unpublishing.mutate({ ...stored, values })
    },
    settle(choices: Partial<Record<FormFieldName, Side>>): void {
      if (conflict === undefined || isBusy) return
      const merged = mergedValues(values, conflict.theirs, conflict.differences, choices)
      const settled = { base: conflict.theirs, version: conflict.version }
      draft.setValues(merged)
      draft.setStored(settled)
      setConflict(undefined)
      if (conflict.act === 'unpublish') unpublishing.mutate({ values: merged, ...settled })
      else send({ publish: conflict.act === 'publish', values: merged, ...settled })
    },
    leaveConflict: (): void => setConflict(undefined),
    /** Goes back to what is stored. */
    discard(): void {
      draft.discard()
      setReasons([])
      setFailure(undefined)
    },
    showFiles(evidenceFiles: ItemForAdmin['evidenceFiles']): void {
      draft.setItem((before) => before && { ...before, evidenceFiles })
    },
    /** Goes on from the item as it is stored now, with the reasons of now; only for a form without changes of its own. */
    showStored(current: ItemForAdmin): void {
      draft.begin(current)
      // Reasons stand there after a refusal alone.
      setReasons((before) => (before.length === 0 ? before : current.reasons))
      setFailure(undefined)
    },
    /** Goes on from the item after a call of its own that was made here, of a consent or a cover; what is typed stays. */
    goOnFrom(changed: ItemForAdmin): void {
      // Its call raises the version by one. Anything else is somebody else's edit, which a save must meet.
      if (changed.version === stored.version + 1) draft.standOn(changed)
      else draft.setItem(changed)
    },
  }
}

export type ContentFormState = ReturnType<typeof useContentForm>
