import { useState } from 'react'
import { ApiError, NetworkError, request } from '../../../../browser/api-client.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { recheckAccess } from '../../browser/admin-query.ts'
import { DialogForm } from '../../parts/dialog-form.tsx'
import { networkRefusal, type Refusal, refusalIn, textOf, useSubmission } from '../../parts/use-submission.ts'
import { faultOfText, tidyText } from '../check-text.ts'
import { TextPreview } from './text-preview.tsx'
import { SiteTextForAdmin, SiteTextsForAdmin } from '../texts-schema.ts'

export const textsPath = '/api/texts'

/**
 * A text with its preview. The typed text stays when a save fails; somebody else's newer version is shown beside it,
 * and the next save replaces that.
 */
export function TextDialog({ text, onClose }: { text: SiteTextForAdmin; onClose: () => void }) {
  const [typed, setTyped] = useState(text.value)
  const [version, setVersion] = useState(text.version)
  /** Somebody else's newer version. */
  const [theirs, setTheirs] = useState<SiteTextForAdmin>()

  const save = async (value: string | null): Promise<Refusal | undefined> => {
    try {
      const path = `${textsPath}/${text.key}`
      await request(path, SiteTextForAdmin, { method: 'PUT', body: { value, version } })
    } catch (error) {
      if (error instanceof ApiError && !(error instanceof NetworkError)) recheckAccess(error)
      if (!(error instanceof ApiError) || error.status !== 409) return refusalIn(error, 'The text could not be saved.')
      const { texts } = await request(textsPath, SiteTextsForAdmin)
      const current = texts.find(({ key }) => key === text.key)
      setTheirs(current)
      if (current !== undefined) setVersion(current.version)
      return { message: error.message }
    }
    refetchAnswers(textsPath)
    onClose()
    return undefined
  }
  const submission = useSubmission({
    check: (values) => {
      const fault = faultOfText(tidyText(textOf(values, 'value'), text.kind), text)
      return fault === undefined ? undefined : { message: fault, field: 'value' }
    },
    // The first text is not kept as one of their own: it goes on following the environment.
    send: (values) => {
      const value = textOf(values, 'value')
      return save(tidyText(value, text.kind) === text.firstValue ? null : value)
    },
    unreachable: networkRefusal,
  })

  const field = {
    name: 'value',
    label: text.label,
    help: helpOf(text),
    value: typed,
    problem: submission.errorOf('value'),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => setTyped(currentTarget.value),
  }
  return (
    <Dialog title={text.label} isBusy={submission.isSending} isDirty={typed !== text.value} onClose={onClose}>
      <DialogForm
        submission={submission}
        label="Save"
        labelWhileSending="Saving..."
        done={undefined}
        onCancel={onClose}
      >
        {text.kind === 'document' || text.kind === 'list' ? (
          <TextArea {...field} dir="auto" />
        ) : (
          <TextField {...field} dir="auto" type={inputTypes[text.kind]} />
        )}
        <p className="field-help" id="text-preview">
          Preview
        </p>
        {/* Focusable, so that the keyboard can scroll it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className="texts-preview" role="region" aria-labelledby="text-preview" tabIndex={0}>
          <TextPreview kind={text.kind} value={typed} />
        </div>
        {theirs === undefined ? null : (
          <Notice tone="calm">
            <p>Their text:</p>
            <TextPreview kind={theirs.kind} value={theirs.value} />
          </Notice>
        )}
        {typed === text.firstValue ? null : (
          <p className="texts-first">
            <button
              type="button"
              className="button"
              onClick={({ currentTarget }) => {
                setTyped(text.firstValue)
                // The button goes; the keyboard is where the text is.
                const changed = currentTarget.form?.elements.namedItem('value')
                if (changed instanceof HTMLElement) changed.focus()
              }}
            >
              Restore the first text
            </button>
          </p>
        )}
      </DialogForm>
    </Dialog>
  )
}

/** A field for days would hold nothing of what is no whole day: it could not be told from one that was emptied. */
const inputTypes = { line: 'text', address: 'url', email: 'email', date: 'text' } as const

function helpOf({ kind, help, maxLength, maxLines, columns }: SiteTextForAdmin): string {
  const limit = maxLength.toLocaleString('en-US')
  const parts = columns === null ? '' : ` Each line has ${columns} parts with | between them.`
  if (kind === 'list') return `${help}${parts} At most ${maxLines ?? 0} lines of ${limit} characters.`
  if (kind === 'document')
    return `${help} An empty line ends a paragraph, # begins a heading, - an entry of a list. At most ${limit} characters.`
  return kind === 'date' ? `${help} Write it like 2028-11-30.` : `${help} At most ${limit} characters.`
}
