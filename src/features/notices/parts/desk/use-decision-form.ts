import { useEffect, useState } from 'react'
import type { ApiError } from '../../../../browser/api-client.ts'
import { dropDraft, saveDraft, readDraft } from '../../../../browser/saved-draft.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { DecisionPreview, NoticeForDesk } from '../../desk/desk-schema.ts'
import { callOnCase, type CaseOnDesk, currentIn, happenedSince, type Seen, seenOf } from './case-calls.ts'
import {
  type DecisionField,
  type DecisionKind,
  type DecisionProblems,
  type DecisionValues,
  decisionFields,
  draftOf,
  emptyDecision,
  isEmptyDecision,
  problemsOf,
  readSavedDecision,
} from './decision-values.ts'

export interface DecisionFormState {
  values: DecisionValues
  problems: DecisionProblems
  /** Why it was not taken, where no field is to blame. */
  failure: string | undefined
  /** It began with what was typed before a reload. */
  isRestored: boolean
  isSending: boolean
  /** Counts the refusals, so that each can lead to its first field. */
  refusals: number
  /** The events since this was begun; undefined while there are none. */
  happened: NoticeForDesk['events'] | undefined
  /** The preview; undefined before a request and after each change of the text. */
  preview: DecisionPreview | undefined
  set: (field: DecisionField, value: string) => void
  /** Goes on with the notice as it stands now. */
  goOn: () => void
  /** Whether nothing stands in the way of sending it; what does is told. */
  check: () => boolean
  askForPreview: () => void
  /** @returns once it is decided, or refused, which the form tells */
  send: () => Promise<void>
  discard: () => void
}

/** Whether something was typed about this notice that was not sent. */
export function hasSavedDecision(whose: string, kind: DecisionKind, notice: NoticeForDesk): boolean {
  return readSavedDecision(readDraft(whose, draftOf(kind, notice))) !== undefined
}

/**
 * The form of a decision, or of the answer to an appeal: what is typed, what was said of it, and what is kept for a reload.
 * @param onDone told the notice as it is decided, before anything else shows it
 * @param onWriting told whether something stands in it that was not sent
 */
export function useDecisionForm(
  kind: DecisionKind,
  desk: CaseOnDesk,
  onDone: (decided: NoticeForDesk) => void,
  onWriting: (isWriting: boolean) => void,
): DecisionFormState {
  const { notice, whose } = desk
  const form = draftOf(kind, notice)
  const [saved] = useState(() => readSavedDecision(readDraft(whose, form)))
  const [values, setValues] = useState(saved?.values ?? emptyDecision)
  const [seen, setSeen] = useState<Seen>(saved?.seen ?? seenOf(notice))
  const [isRestored, setIsRestored] = useState(saved !== undefined)
  const [problems, setProblems] = useState<DecisionProblems>({})
  const [failure, setFailure] = useState<string>()
  const [refusals, setRefusals] = useState(0)
  const [previewed, setPreviewed] = useState<{ of: string; preview: DecisionPreview }>()
  const isDirty = !isEmptyDecision(values)
  const happened = happenedSince(notice, seen)
  // An empty form follows the notice as it stands.
  if (happened !== undefined && !isDirty) setSeen(seenOf(notice))

  useEffect(() => {
    if (isDirty) saveDraft(whose, form, { values, seen })
    else dropDraft(whose, form)
  }, [whose, form, values, seen, isDirty])
  useEffect(() => onWriting(isDirty), [onWriting, isDirty])

  const subject = JSON.stringify([values, seen])
  const refuse = (error: ApiError): void => {
    setRefusals((count) => count + 1)
    const field = decisionFields.find((one) => one === error.field)
    if (field !== undefined) setProblems({ [field]: error.message })
    // Another person's change is shown in a panel of its own.
    else if ((currentIn(error)?.version ?? seen.version) === seen.version) setFailure(error.message)
  }
  const previewing = useApiMutation<DecisionPreview, { body: DecisionValues; of: string }>({
    mutationFn: ({ body }) => callOnCase(desk, 'decision/preview', DecisionPreview, { ...body }),
    onSuccess: (preview, { of }) => setPreviewed({ of, preview }),
    onError: refuse,
  })
  const sending = useApiMutation<NoticeForDesk, DecisionValues>({
    mutationFn: (body) => callOnCase(desk, kind, NoticeForDesk, { ...body }),
    onSuccess(decided) {
      dropDraft(whose, form)
      setValues(emptyDecision)
      setIsRestored(false)
      setPreviewed(undefined)
      onDone(decided)
    },
    onError: refuse,
  })

  const check = (): boolean => {
    const found = problemsOf(values, kind)
    setProblems(found)
    setFailure(undefined)
    const isWhole = Object.keys(found).length === 0 && happened === undefined
    if (!isWhole) setRefusals((count) => count + 1)
    return isWhole
  }

  return {
    values,
    problems,
    failure,
    isRestored,
    isSending: previewing.isPending || sending.isPending,
    refusals,
    happened: isDirty ? happened : undefined,
    preview: previewed?.of === subject ? previewed.preview : undefined,
    set(field, value) {
      setValues((before) => ({ ...before, [field]: value }))
      setProblems(({ [field]: _settled, ...before }) => before)
    },
    goOn() {
      setSeen(seenOf(notice))
      setFailure(undefined)
    },
    check,
    askForPreview() {
      if (!previewing.isPending && check()) previewing.mutate({ body: values, of: subject })
    },
    async send() {
      if (!check()) return
      // Its failure is told by `refuse`.
      await sending.mutateAsync(values).catch(() => undefined)
    },
    discard() {
      setValues(emptyDecision)
      setIsRestored(false)
      setProblems({})
      setFailure(undefined)
    },
  }
}
