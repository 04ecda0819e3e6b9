import type { FieldValues } from 'react-hook-form'
import { ApiError, NetworkError, networkSentence } from '../../../browser/api-client.ts'
import { dropDraft, readDraft, saveDraft } from '../../../browser/saved-draft.ts'
import { type Draft, type FormOptions, type FormState, type FormRefusal, useForm } from '../../../ui/form/use-form.ts'
import { checkAccess } from '../viewer/load-profile.ts'

export interface ApiFormOptions<Values extends FieldValues, Sent> extends Omit<FormOptions<Values, Sent>, 'refusalOf'> {
  /** The message of a refusal without a sentence of the server. */
  otherwise: string
  /** Whether that message stands above every refusal, and the sentence of the server or of the network below it. */
  saysBoth?: boolean
  /** The message when no answer came, where it is not that of the network. */
  unreachable?: string
  /** Sees the error first: somebody else may have been faster. 'shown' where it is shown elsewhere. */
  onRefused?: (error: ApiError) => void | 'shown' | Promise<void | 'shown'>
  /** The field that an error of the server is about, where it has another name there. */
  fieldOf?: (field: string) => string | undefined
  /** The server's sentence in the words of the form. */
  inWords?: (sentence: string) => string
}

/**
 * A form that is sent to the API. A refusal of access (403) has the caller's roles checked. It loads no queries: the dialog
 * that asks for a proof stands on public pages, too.
 */
export function useApiForm<Values extends FieldValues, Sent = Values>({
  otherwise,
  saysBoth = false,
  unreachable = saysBoth ? otherwise : undefined,
  onRefused,
  fieldOf = (field) => field,
  inWords = (sentence) => sentence,
  ...form
}: ApiFormOptions<Values, Sent>): FormState<Values> {
  return useForm({
    ...form,
    async refusalOf(error): Promise<FormRefusal | undefined> {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 403) void checkAccess()
      if ((await onRefused?.(error)) === 'shown') return undefined
      const { field } = error
      const sentence = error.sentence === undefined ? undefined : inWords(error.sentence)
      if (error instanceof NetworkError)
        return unreachable === undefined
          ? { message: networkSentence }
          : { message: unreachable, detail: networkSentence }
      if (saysBoth && sentence !== undefined) return { message: otherwise, detail: sentence }
      return { message: sentence ?? otherwise, field: field === undefined ? undefined : fieldOf(field) }
    },
  })
}

/**
 * Unsent text in this browser.
 * @param whose the email of the person who types
 */
export function draftAt(whose: string, name: string): Draft {
  return {
    read: () => readDraft(whose, name),
    save: (values) => saveDraft(whose, name, values),
    drop: () => dropDraft(whose, name),
  }
}
