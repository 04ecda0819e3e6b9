import { useEffect, useEffectEvent, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { request, usualSentence } from '../../../../browser/api-client.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { Form } from '../../../../ui/form/form.tsx'
import { TextArea } from '../../../../ui/text-field.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { MemberNote } from '../../account/account-schema.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { maxNoteLength } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** The operator's note about a member. Somebody else's newer version stands beside the typed text. */
export function PersonNote({ person, onChanged }: PersonPageProps) {
  const { note } = person
  const [version, setVersion] = useState(note.version)
  const [isSaved, setIsSaved] = useState(false)
  const form = useApiForm({
    defaults: { note: note.text },
    async send({ note: text }) {
      setIsSaved(false)
      const body = { text, version }
      const saved = await request(`${personPath(person.id)}/note`, MemberNote, { method: 'PUT', body })
      form.goOnFrom({ note: saved.text })
      setVersion(saved.version)
      setIsSaved(true)
      onChanged()
    },
    otherwise: usualSentence,
    onRefused({ status }) {
      if (status === 409) onChanged()
    },
  })
  const { isDirty } = form
  const follow = useEffectEvent(() => {
    form.reset({ note: note.text })
    setVersion(note.version)
  })
  // A newer note takes the place of one in which nothing was typed.
  const isBehind = !isDirty && note.version > version
  useEffect(() => {
    if (isBehind) follow()
  }, [isBehind])
  return (
    <WorkSection title="Note">
      <Form
        form={form}
        act={{
          label: 'Save note',
          labelWhileSending: 'Saving...',
          isQuiet: true,
          isReady: form.values.note !== note.text,
          done: isSaved && !isDirty ? 'The note was saved.' : undefined,
        }}
        className="person-note"
        guardsLeaving
        steps="button-row"
      >
        <TextArea
          {...form.field('note')}
          label="What administrators should know"
          rows={4}
          maxLength={2 * maxNoteLength}
          help={`Members can read this note when they download their data.${
            note.changedAt === null ? '' : ` Last changed on ${timeInWords(note.changedAt)}.`
          }`}
        />
        {isDirty && note.version > version ? (
          <div>
            <p>Somebody else has saved this in the meantime:</p>
            <p className="person-note-saved">{note.text === '' ? 'An empty note.' : note.text}</p>
            <p className="field-help">
              Copy what should stay into your note. Saving replaces theirs.{' '}
              <Button look="link" label="I have copied what should stay" onClick={() => setVersion(note.version)} />
            </p>
          </div>
        ) : null}
      </Form>
    </WorkSection>
  )
}
