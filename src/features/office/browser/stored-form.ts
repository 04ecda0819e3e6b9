import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormState } from '../../../ui/form/use-form.ts'
import { type ApiFormOptions, useApiForm } from './api-form.ts'

export interface StoredFormState<Values extends FieldValues, Stored> extends FormState<Values> {
  /** Saved by somebody else since the writer began, with the server's sentence; the next save replaces it. */
  conflict: { theirs: Stored; message: string } | undefined
  isSaved: boolean
}

/**
 * The form of a versioned setting. A save that somebody has overtaken shows theirs, and keeps the typed text.
 * @param stored as it is known now; a newer one replaces untouched fields
 * @param save sends the typed text over a version. @returns what is stored then
 * @param readAgain fetches what is stored. @throws {ApiError}
 */
export function useStoredForm<Stored extends { version: number }, Values extends FieldValues, Sent = Values>({
  stored,
  valuesOf,
  save,
  readAgain,
  ...options
}: Omit<ApiFormOptions<Values, Sent>, 'defaults' | 'send' | 'onRefused'> & {
  stored: Stored
  valuesOf: (stored: Stored) => Values
  save: (sent: Sent, version: number) => Promise<Stored>
  readAgain: () => Promise<Stored>
}): StoredFormState<Values, Stored> {
  /** The version that a save replaces: the last that the writer has seen. */
  const [version, setVersion] = useState(stored.version)
  const [conflict, setConflict] = useState<{ theirs: Stored; message: string }>()
  const [isSaved, setIsSaved] = useState(false)
  const form = useApiForm({
    ...options,
    defaults: valuesOf(stored),
    async send(sent: Sent) {
      setIsSaved(false)
      const saved = await save(sent, version)
      setVersion(saved.version)
      setConflict(undefined)
      setIsSaved(true)
      form.goOnFrom(valuesOf(saved))
    },
    async onRefused({ status, message }) {
      if (status !== 409) return undefined
      const theirs = await readAgain()
      setVersion(theirs.version)
      setConflict({ theirs, message })
      return 'shown'
    },
  })
  const { isDirty } = form
  const follow = useEffectEvent(() => {
    setVersion(stored.version)
    form.reset(valuesOf(stored))
  })
  const isBehind = !isDirty && stored.version > version
  useEffect(() => {
    if (isBehind) follow()
  }, [isBehind])
  return { ...form, conflict, isSaved }
}
