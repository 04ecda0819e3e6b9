import { useId, useState } from 'react'
import { request } from '../../../../browser/api-client.ts'
import { timeInWords } from '../../../../browser/format-instant.ts'
import { useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { MemberNote } from '../../account/account-schema.ts'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { maxNoteLength } from '../people-schema.ts'
import { type PersonPageProps, personPath } from '../person-page.ts'

/** The operator's note about a member. Somebody else's newer version stands beside the typed text. */
export function PersonNote({ person, onChanged }: PersonPageProps) {
  const { note } = person
  const id = useId()
  const [typed, setTyped] = useState(note.text)
  /** The version that `typed` was written over. */
  const [version, setVersion] = useState(note.version)
  /** The text of that version. */
  const [before, setBefore] = useState(note.text)

  // A newer note takes the place of one in which nothing was typed.
  if (typed === before && note.version > version) take(note)

  function take(newer: MemberNote): void {
    setBefore(newer.text)
    setTyped(newer.text)
    setVersion(newer.version)
  }

  const save = useApiMutation({
    mutationFn: () =>
      request(`${personPath(person.id)}/note`, MemberNote, { method: 'PUT', body: { text: typed, version } }),
    onSuccess: (saved) => {
      take(saved)
      onChanged()
    },
    onError: (error) => {
      recheckAccess(error)
      if (error.status === 409) onChanged()
    },
  })
  const isOvertaken = note.version > version && typed !== before
  return (
    <WorkSection title="Note">
      <form
        className="person-note"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <div className="field">
          <label htmlFor={id}>What administrators should know</label>
          <textarea
            id={id}
            name="note"
            rows={4}
            className="field-input"
            maxLength={2 * maxNoteLength}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <p className="field-help">
            Members can read this note when they download their data.
            {note.changedAt === null ? '' : ` Last changed on ${timeInWords(note.changedAt)}.`}
          </p>
        </div>
        {isOvertaken ? (
          <div>
            <p>Somebody else has saved this in the meantime:</p>
            <p className="person-note-saved">{note.text === '' ? 'An empty note.' : note.text}</p>
            <p className="field-help">
              Take over above what should stay. Saving replaces it.{' '}
              <button type="button" className="text-link" onClick={() => setVersion(note.version)}>
                I have taken over what should stay
              </button>
            </p>
          </div>
        ) : null}
        <div className="person-actions">
          <button type="submit" className="button" aria-disabled={save.isPending} disabled={typed === note.text}>
            {save.isPending ? 'Saving...' : 'Save note'}
          </button>
        </div>
        <Announced>
          {save.error === null ? null : <Notice tone="failed">{save.error.message}</Notice>}
          {save.isSuccess && typed === note.text ? <Notice tone="done">The note was saved.</Notice> : null}
        </Announced>
      </form>
    </WorkSection>
  )
}
