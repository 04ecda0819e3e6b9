import { type ReactNode, useState } from 'react'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import type { FormSchema, FormState } from '../../../../ui/form/use-form.ts'
import { Notice } from '../../../../ui/notice.tsx'
import { draftAt, useApiForm } from '../../../office/browser/api-form.ts'
import { type CaseOnDesk, changeCase, happenedSince, seenOf } from './case-calls.ts'
import { waitsSentence } from './desk-words.ts'
import { Meanwhile } from './meanwhile.tsx'

export interface DialogOfCase {
  desk: CaseOnDesk
  onClose: () => void
}

/**
 * A dialog about a notice. Its text survives a reload, and another person's change, which it shows.
 * @param done what the page says once it is done
 */
export function CaseDialog<Values extends Record<string, string | string[]>, Sent extends Record<string, unknown>>({
  desk,
  verb,
  defaults,
  schema,
  done,
  onClose,
  children,
  ...act
}: DialogOfCase & {
  verb: string
  title: string
  label: string
  labelWhileSending: string
  defaults: Values
  schema: FormSchema<Sent>
  done: string
  children: (form: FormState<Values>) => ReactNode
}) {
  const { notice, whose } = desk
  const draft = draftAt(whose, `notice ${notice.reference} ${verb}`)
  const [seen] = useState(() => seenOf(notice))
  const happened = happenedSince(notice, seen)
  const close = (): void => {
    draft.drop()
    onClose()
  }
  const form = useApiForm({
    defaults,
    schema,
    async send(body) {
      const changed = await changeCase(desk, verb, body)
      // The first of two safety officers has changed nothing yet.
      desk.onDone(changed?.waitsForSecond === true ? waitsSentence : done)
      close()
    },
    otherwise: 'That could not be done.',
    draft,
  })
  return (
    <ActDialog {...act} form={form} onClose={close}>
      {children(form)}
      {happened === undefined ? null : (
        <Notice tone="calm">
          <p>This notice has changed in the meantime.</p>
          <Meanwhile status={notice.status} happened={happened} />
        </Notice>
      )}
    </ActDialog>
  )
}
