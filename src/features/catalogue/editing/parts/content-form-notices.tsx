import { useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { type ContentSection, contentSections } from '../content-sections.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { keptInWords, noticeInWords, restrictionInWords } from './content-words.ts'
import { savedFormOf } from './use-content-draft.ts'
import type { ContentFormState } from './use-content-form.ts'

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
