import { useEffect, useEffectEvent, useState } from 'react'
import { readDraft } from '../../../../browser/saved-draft.ts'
import type { FormState } from '../../../../ui/form/use-form.ts'
import { draftAt, useApiForm } from '../../../office/browser/api-form.ts'
import { DecisionPreview, NoticeForDesk } from '../../desk/desk-schema.ts'
import { callOnCase, type CaseOnDesk, currentIn, happenedSince, type Seen, seenOf } from './case-calls.ts'
import {
  type DecisionKind,
  decisionRules,
  type DecisionValues,
  draftOf,
  emptyDecision,
  readSavedDecision,
} from './decision-values.ts'

export function hasSavedDecision(whose: string, kind: DecisionKind, notice: NoticeForDesk): boolean {
  return readSavedDecision(readDraft(whose, draftOf(kind, notice))) !== undefined
}

export interface DecisionFormState {
  form: FormState<DecisionValues>
  /** The events since this was begun; undefined while there are none. */
  happened: NoticeForDesk['events'] | undefined
  /** Counts the attempts that another person's change has stopped. */
  overtaken: number
  /** The preview; undefined before a request and after each change of the text. */
  preview: DecisionPreview | undefined
  /** Whether the last question before it is sent stands open. */
  isAsking: boolean
  setIsAsking: (isAsking: boolean) => void
  /** Goes on with the notice as it stands now. */
  goOn: () => void
  /** @returns once it is decided, or refused, which the form tells */
  decide: () => Promise<void>
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
  const draft = draftAt(whose, draftOf(kind, notice))
  const [seen, setSeen] = useState<Seen>(() => readSavedDecision(draft.read())?.seen ?? seenOf(notice))
  const [previewed, setPreviewed] = useState<{ of: string; preview: DecisionPreview }>()
  const [isAsking, setIsAsking] = useState(false)
  const [overtaken, setOvertaken] = useState(0)
  const happened = happenedSince(notice, seen)
  const form = useApiForm({
    defaults: emptyDecision,
    schema: decisionRules[kind],
    async send(body) {
      if (happened !== undefined) setOvertaken((count) => count + 1)
      else if (kind === 'appeal') setIsAsking(true)
      else setPreviewed({ of: subject, preview: await callOnCase(desk, 'decision/preview', DecisionPreview, body) })
    },
    otherwise: 'The decision could not be sent.',
    draft: {
      read: () => readSavedDecision(draft.read())?.values,
      save: (values) => draft.save({ values, seen }),
      drop: draft.drop,
    },
    onRefused(error) {
      if (currentIn(error) !== undefined) setOvertaken((count) => count + 1)
    },
  })
  const { isDirty, values } = form
  const subject = JSON.stringify([values, seen])
  // An empty form follows the notice as it stands.
  if (happened !== undefined && !isDirty) setSeen(seenOf(notice))
  useEffect(() => onWriting(isDirty), [onWriting, isDirty])

  // Another person's change is shown in a panel of its own.
  const clear = useEffectEvent(() => form.clear())
  useEffect(() => {
    if (overtaken > 0) clear()
  }, [overtaken])

  return {
    form,
    happened: isDirty ? happened : undefined,
    overtaken,
    preview: previewed?.of === subject ? previewed.preview : undefined,
    isAsking,
    setIsAsking,
    goOn() {
      const next = seenOf(notice)
      setSeen(next)
      draft.save({ values, seen: next })
      form.clear()
    },
    async decide() {
      await form.attempt(async () => {
        const decided = await callOnCase(desk, kind, NoticeForDesk, decisionRules[kind].parse(values))
        form.reset(emptyDecision)
        draft.drop()
        onDone(decided)
      })
      setIsAsking(false)
    },
  }
}
