import { request } from '../../../../browser/api-client.ts'
import { changeAnswer, refetchAnswers } from '../../../../browser/queries.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { useStoredForm } from '../../browser/stored-form.ts'
import { faultOfText, tidyText } from '../check-text.ts'
import { TextPreview } from './text-preview.tsx'
import { SiteTextForAdmin, SiteTextsForAdmin } from '../texts-schema.ts'

export const textsPath = '/api/texts'

/**
 * A text with its preview. The typed text stays when a save fails; somebody else's newer version is shown beside it,
 * and the next save replaces that.
 */
export function TextDialog({ text, onClose }: { text: SiteTextForAdmin; onClose: () => void }) {
  const form = useStoredForm({
    stored: text,
    valuesOf: ({ value }) => ({ value }),
    check({ value }) {
      const fault = faultOfText(tidyText(value, text.kind), text)
      return fault === undefined ? undefined : { message: fault, field: 'value' }
    },
    async save({ value }, version) {
      // The first text is not kept as one of their own: it goes on following the environment.
      const body = { value: tidyText(value, text.kind) === text.firstValue ? null : value, version }
      const saved = await request(`${textsPath}/${text.key}`, SiteTextForAdmin, { method: 'PUT', body })
      changeAnswer<SiteTextsForAdmin>(textsPath, ({ texts }) => ({
        texts: texts.map((each) => (each.key === saved.key ? saved : each)),
      }))
      refetchAnswers(textsPath)
      onClose()
      return saved
    },
    async readAgain() {
      const { texts } = await request(textsPath, SiteTextsForAdmin)
      return texts.find(({ key }) => key === text.key) ?? text
    },
    otherwise: 'The text could not be saved.',
  })
  const { conflict } = form
  const typed = form.values.value
  const field = { ...form.field('value'), label: text.label, help: helpOf(text), dir: 'auto' } as const
  return (
    <ActDialog title={text.label} form={form} label="Save" labelWhileSending="Saving..." onClose={onClose}>
      {text.kind === 'document' || text.kind === 'list' ? (
        <TextArea {...field} />
      ) : (
        <TextField {...field} type={inputTypes[text.kind]} />
      )}
      <p className="field-help" id="text-preview">
        Preview
      </p>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="texts-preview" role="region" aria-labelledby="text-preview" tabIndex={0}>
        <TextPreview kind={text.kind} value={typed} />
      </div>
      {conflict === undefined ? null : (
        <>
          <Notice tone="failed">{conflict.message}</Notice>
          <Notice tone="calm">
            <p>Their text:</p>
            <TextPreview kind={text.kind} value={conflict.theirs.value} />
          </Notice>
        </>
      )}
      {typed === text.firstValue ? null : (
        <p className="texts-first">
          <button
            type="button"
            className="button"
            onClick={({ currentTarget }) => {
              form.set('value', text.firstValue)
              // The button goes; the keyboard is where the text is.
              const changed = currentTarget.form?.elements.namedItem('value')
              if (changed instanceof HTMLElement) changed.focus()
            }}
          >
            Restore the original text
          </button>
        </p>
      )}
    </ActDialog>
  )
}

/** A field for days is empty for a broken day: it would look cleared. */
const inputTypes = { line: 'text', address: 'url', email: 'email', date: 'text' } as const

function helpOf({ kind, help, maxLength, maxLines, columns }: SiteTextForAdmin): string {
  const limit = maxLength.toLocaleString('en-US')
  const parts = columns === null ? '' : ` Each line has ${columns} parts with | between them.`
  if (kind === 'list') return `${help}${parts} At most ${maxLines ?? 0} lines of ${limit} characters.`
  if (kind === 'document')
    return `${help} An empty line ends a paragraph, # begins a heading, - an entry of a list. At most ${limit} characters.`
  return kind === 'date' ? `${help} Write it like 2028-11-30.` : `${help} At most ${limit} characters.`
}
