import { useState, useEffect, useRef } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { type ContentSection, contentSections } from '../content-sections.ts'
import { keptInWords, noticeInWords, restrictionInWords, fieldLabel, valueInWords } from './content-words.ts'
import { savedFormOf } from './use-content-draft.ts'
import type { ContentFormState, ContentConflict } from './use-content-form.ts'
import type { FormFieldName, FormValues, Side } from './form-values.ts'

export function ContentFormNotices({
  state: { values, item, conflict, isGone, isRestored, isSaving, discard, settle, leaveConflict },
  section,
  whose,
  hostLabels,
}: {
  state: ContentFormState
  section: ContentSection
  whose: string
  hostLabels: readonly string[]
}) {
  /** Each tab keeps a new entry of its own. */
  const [keptElsewhere] = useState(() =>
    contentSections.filter((one) => one !== section && savedFormOf(whose, `new ${one}`) !== undefined),
  )
  const noticed = item === undefined ? undefined : noticeInWords(item)
  return (
    <>
      {isGone ? (
        <Notice tone="failed">
          Somebody has deleted this entry. Your text is still here: save it as a new entry, or discard it.
        </Notice>
      ) : null}
      {item === undefined ? null : noticed !== undefined ? (
        <Notice tone="calm">
          <p>{noticed} It stays as it is until that is decided otherwise.</p>
          <TextLink to="/admin/notices">Notices</TextLink>
        </Notice>
      ) : item.status === 'restricted' ? (
        <Notice tone="calm">{restrictionInWords(item)}</Notice>
      ) : null}
      {item !== undefined || isGone || keptElsewhere.length === 0 ? null : (
        <Notice tone="calm">{keptInWords(keptElsewhere)}</Notice>
      )}
      {isRestored && !isGone && conflict === undefined ? (
        <Notice tone="calm">
          <p>Your unsaved changes are back. Save them, or discard them.</p>
          <Button look="link" label="Discard them" onClick={discard} />
        </Notice>
      ) : null}
      {conflict === undefined ? null : (
        <ConflictPanel
          conflict={conflict}
          mine={values}
          hostLabels={hostLabels}
          isSaving={isSaving}
          onSettle={settle}
          onBack={leaveConflict}
        />
      )}
    </>
  )
}

export function ConflictPanel({
  conflict: { theirs, differences, act },
  mine,
  hostLabels,
  isSaving,
  onSettle,
  onBack,
}: {
  conflict: ContentConflict
  mine: FormValues
  hostLabels: readonly string[]
  isSaving: boolean
  onSettle: (choices: Partial<Record<FormFieldName, Side>>) => void
  onBack: () => void
}) {
  const [choices, setChoices] = useState<Partial<Record<FormFieldName, Side>>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="content-conflict" role="group" aria-labelledby="conflict-title">
      <h3 id="conflict-title" ref={heading} tabIndex={-1}>
        Somebody else has saved this entry in the meantime
      </h3>
      <p>
        {differences.length === 0
          ? act === 'unpublish'
            ? 'They saved the same changes. The entry still has to be taken off the site.'
            : 'They saved the same changes. Save again to continue from their version.'
          : act === 'unpublish'
            ? 'Only differences are shown. Your own choices stay in the form, and are not saved yet.'
            : 'Only differences are shown. Choose for each field, then save. Nothing you typed is lost.'}
      </p>
      {differences.map(({ name, usual }) => {
        const chosen = choices[name] ?? usual
        const label = fieldLabel(name, hostLabels)
        return (
          <fieldset key={name} className="conflict-field">
            <legend>{label}</legend>
            {(['mine', 'theirs'] as const).map((side) => (
              <label key={side} className={chosen === side ? 'conflict-side is-chosen' : 'conflict-side'}>
                <span>
                  <input
                    type="radio"
                    name={`conflict ${name}`}
                    checked={chosen === side}
                    onChange={() => setChoices((before) => ({ ...before, [name]: side }))}
                  />{' '}
                  {side === 'mine' ? 'Keep mine' : 'Take theirs'}
                </span>
                <bdi className="conflict-value">{valueInWords(side === 'mine' ? mine : theirs, name)}</bdi>
              </label>
            ))}
          </fieldset>
        )
      })}
      <div className="work-steps">
        <Button
          look="solid"
          label={isSaving ? 'Saving...' : act === 'unpublish' ? 'Take it off the site' : 'Save with these choices'}
          isBusy={isSaving}
          onClick={() => onSettle(choices)}
        />
        <Button label="Back to the form" onClick={onBack} />
      </div>
    </div>
  )
}
