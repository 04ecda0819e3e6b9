import { type RefObject, useState } from 'react'
import { Button, TextLink } from '../../../../ui/button.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { requiredSentence } from './content-words.ts'
import { counted } from '../../../../platform/counted.ts'
import { inWordsOfForm, restOfReasons } from './problems.ts'
import type { ContentFormState } from './use-content-form.ts'

/** Why an item was not saved, as far as no field says it. */
export function ContentRefusal({
  state: { reasons, failure, isIncomplete, isSaving },
  hostLabels,
}: {
  state: ContentFormState
  hostLabels: readonly string[]
}) {
  const others = restOfReasons(reasons)
  // While it is on its way, and where no answer came, only the required fields are known.
  const hasReasons = reasons.length > 0 && !isSaving && failure === undefined
  return (
    <Announced>
      {failure === undefined ? null : <Notice tone="failed">{failure}</Notice>}
      {isIncomplete || hasReasons ? (
        <Notice tone="failed">
          {isIncomplete ? <p>{requiredSentence(hostLabels)}</p> : null}
          {hasReasons ? <p>{`Not saved: ${counted(reasons.length, 'problem')}.`}</p> : null}
          {others.map(inWordsOfForm).map(({ code, sentence, remedy }) => (
            <p key={code}>{`${sentence} ${remedy}`}</p>
          ))}
        </Notice>
      ) : null}
    </Announced>
  )
}

export function ContentSteps({
  state: { item, isGone, isSaving, isBusy, isDirty, save, unpublish, discard },
  isAhead,
  steps,
  onClose,
}: {
  state: ContentFormState
  isAhead: boolean
  steps: RefObject<HTMLDivElement | null>
  onClose: () => void
}) {
  const isPublished = item?.status === 'published'
  return (
    <div ref={steps} className="work-steps">
      <button type="submit" className={isPublished || isGone ? 'button button-solid' : 'button'} aria-disabled={isBusy}>
        {isSaving
          ? 'Saving...'
          : isBusy
            ? 'Sending...'
            : isGone
              ? 'Save as a new entry'
              : item === undefined || item.status === 'draft'
                ? 'Save draft'
                : 'Save'}
      </button>
      {isGone ? null : isPublished ? (
        <Unpublish isBusy={isBusy} onConfirm={unpublish} />
      ) : (
        <Button look="solid" label={isAhead ? 'Schedule' : 'Publish'} isBusy={isBusy} onClick={() => save(true)} />
      )}
      {item?.status === 'restricted' ? <Button label="Make it a draft" isBusy={isBusy} onClick={unpublish} /> : null}
      <Button
        look="quiet"
        label={isGone ? 'Discard' : isDirty ? 'Cancel' : 'Close'}
        onClick={() => {
          discard()
          onClose()
        }}
      />
      {item === undefined ? null : (
        <p className="content-views">
          {(['visitor', 'VIP'] as const).map((view) => (
            <TextLink key={view} to={`/admin/preview/${item.id}?as=${view.toLowerCase()}`} target="_blank">
              {`View as ${view}`}
              <span className="sr-only"> (opens in a new tab)</span>
            </TextLink>
          ))}
          {isDirty ? <span className="work-aside">as it is saved</span> : null}
        </p>
      )}
    </div>
  )
}

/** One click too many takes an entry off the site: the first asks. */
function Unpublish({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) {
  const [isAsked, setIsAsked] = useState(false)
  if (!isAsked) {
    return <Button label="Unpublish" isBusy={isBusy} onClick={() => setIsAsked(true)} />
  }
  return (
    <button
      type="button"
      className="button"
      aria-disabled={isBusy}
      // The focus was on the button that it takes the place of.
      ref={(button) => button?.focus()}
      onBlur={() => setIsAsked(false)}
      onClick={() => {
        setIsAsked(false)
        onConfirm()
      }}
    >
      Take it off the site?
    </button>
  )
}
