import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { dayOf } from '../../../../platform/time/site-time.ts'
import type { LinkSlot } from '../../item/link-slots.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import { type ContentSection, contentSections } from '../content-sections.ts'
import { ConflictPanel } from './conflict-panel.tsx'
import { Consents } from './consents.tsx'
import { keptInWords, requiredSentence, noticeInWords, restrictionInWords, slotLabel } from './content-words.ts'
import { EvidenceFiles } from './evidence-files.tsx'
import { isTick, pathsOf, regionIsChosen } from './form-values.ts'
import { ItemField } from './item-field.tsx'
import { inWordsOfForm, problemOf, restOfReasons } from './problems.ts'
import { RightsVerification } from './rights-verification.tsx'
import { savedFormOf, useContentForm } from './use-content-form.ts'

/** The links in the order in which they are offered, then the two that details do not show. */
const slotsInOrder: readonly LinkSlot[] = [
  'link',
  'linkMV1',
  'linkG',
  'linkMV3',
  'linkP',
  'linkMV2',
  'link2',
  'linkMV4',
]

export interface SiteOfForm {
  clientApiKey: string
  fileHosts: readonly { label: string }[]
  timeZone: string
}

/** The form of one item. Its draft stays until it is saved, discarded or its writer signs out. */
export function ContentForm({
  item: given,
  goneId,
  section,
  categories,
  whose,
  site,
  notice,
  onSaved,
  onNoted,
  onGone,
  onClose,
}: {
  item: ItemForAdmin | undefined
  /** The id of an entry that was deleted while its form was kept. */
  goneId?: string
  section: ContentSection
  categories: readonly string[]
  whose: string
  site: SiteOfForm
  /** The result of the last save. It stands below the buttons, so that the pressed one does not move. */
  notice: ReactNode
  onSaved: (item: ItemForAdmin, before: ItemForAdmin | undefined) => void
  /** Something of the item was noted by a call of its own, and nothing was saved. */
  onNoted: (item: ItemForAdmin) => void
  onGone: (id: string) => void
  onClose: () => void
}) {
  const state = useContentForm({ item: given, goneId, section, whose, clientKey: site.clientApiKey, onSaved, onGone })
  const { values, item, reasons, refusals, conflict, isGone, isSaving, set } = state
  const hostLabels = site.fileHosts.map(({ label }) => label)
  /** Each tab keeps a new entry of its own. */
  const [keptElsewhere] = useState(() =>
    contentSections.filter((one) => one !== section && savedFormOf(whose, `new ${one}`) !== undefined),
  )
  const form = useRef<HTMLFormElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const steps = useRef<HTMLDivElement>(null)

  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    // Its notice stands below.
    if (isGone) heading.current?.focus()
  }, [isGone])
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem="true"]')?.focus()
  }, [refusals])
  const version = item?.version
  useEffect(() => {
    // A save raises the version, and may take the button away that was pressed.
    if (version === undefined) return
    if (document.activeElement === document.body) steps.current?.querySelector('button')?.focus({ preventScroll: true })
  }, [version])

  const fieldsOf = (group: 'entry' | 'rights' | 'people', isTicked = false): ReactNode =>
    pathsOf(group)
      .filter((path) => isTick(path) === isTicked && (path !== 'region' || regionIsChosen(values.contentType)))
      .map((path) => (
        <ItemField
          key={path}
          path={path}
          values={values}
          problem={problemOf(reasons, path)}
          categories={categories}
          help={path === 'postDate' ? helpOfPostDate(item) : undefined}
          onChange={set}
        />
      ))
  const isPublished = item?.status === 'published'
  const noticed = item === undefined ? undefined : noticeInWords(item)
  const [today] = useState(() => dayOf(Date.now(), site.timeZone))
  const isAhead = values.postDate > today
  const others = restOfReasons(reasons)
  // While it is on its way, and where no answer came, only the required fields are known.
  const hasReasons = reasons.length > 0 && !isSaving && state.failure === undefined

  return (
    <section className="content-form" aria-labelledby="content-form-title">
      <h2 id="content-form-title" ref={heading} tabIndex={-1}>
        {isGone ? 'A deleted entry' : item === undefined ? 'New entry' : <bdi>{item.name}</bdi>}
      </h2>
      {isGone ? (
        <Notice tone="failed">
          Somebody has deleted this entry. Your text is still here: save it as a new entry, or discard it.
        </Notice>
      ) : null}
      {item === undefined ? null : noticed !== undefined ? (
        <Notice tone="calm">
          <p>{noticed} It stays as it is until that is decided otherwise.</p>
          <Link className="text-link" to="/admin/notices">
            Notices
          </Link>
        </Notice>
      ) : item.status === 'restricted' ? (
        <Notice tone="calm">{restrictionInWords(item)}</Notice>
      ) : null}
      {item !== undefined || isGone || keptElsewhere.length === 0 ? null : (
        <Notice tone="calm">{keptInWords(keptElsewhere)}</Notice>
      )}
      {state.isRestored && !isGone && conflict === undefined ? (
        <Notice tone="calm">
          <p>Your changes from before are here again. They are not saved yet.</p>
          <button type="button" className="text-link" onClick={state.discard}>
            Discard them
          </button>
        </Notice>
      ) : null}
      {conflict === undefined ? null : (
        <ConflictPanel
          conflict={conflict}
          mine={values}
          hostLabels={hostLabels}
          isSaving={isSaving}
          onSettle={state.settle}
          onBack={state.leaveConflict}
        />
      )}
      <form
        ref={form}
        method="post"
        noValidate
        hidden={conflict !== undefined}
        aria-labelledby="content-form-title"
        onSubmit={(event) => {
          event.preventDefault()
          state.save(false)
        }}
      >
        <div className="content-fields">{fieldsOf('entry')}</div>
        <Group title="Links">
          {slotsInOrder.map((slot) => (
            <TextField
              key={slot}
              name={slot}
              type="url"
              inputMode="url"
              label={slotLabel(slot, hostLabels)}
              autoComplete="off"
              spellCheck={false}
              value={values[slot]}
              problem={problemOf(reasons, slot)}
              onChange={(event) => set(slot, event.currentTarget.value)}
            />
          ))}
        </Group>
        <Group title="Rights">
          {fieldsOf('rights')}
          <div className="content-ticks">{fieldsOf('rights', true)}</div>
          {item === undefined ? null : (
            <RightsVerification
              item={item}
              isDirty={state.isDirty}
              timeZone={site.timeZone}
              clientKey={site.clientApiKey}
              onRead={(current) => {
                state.showStored(current)
                onNoted(current)
              }}
            />
          )}
        </Group>
        <Group title="People">
          {fieldsOf('people')}
          {values.people === 'identifiable' || values.consents.length > 0 ? (
            <Consents
              consents={values.consents}
              item={item}
              reasons={reasons}
              clientKey={site.clientApiKey}
              onChange={(consents) => set('consents', consents)}
              onNoted={(changed) => {
                state.noteConsent(changed)
                onSaved(changed, item)
              }}
            />
          ) : null}
        </Group>
        <Group title="Files of evidence">
          <EvidenceFiles
            item={item}
            clientKey={site.clientApiKey}
            onStored={({ evidenceFiles }) => state.showFiles(evidenceFiles)}
          />
        </Group>
        <Announced>
          {state.failure === undefined ? null : <Notice tone="failed">{state.failure}</Notice>}
          {state.isIncomplete || hasReasons ? (
            <Notice tone="failed">
              {state.isIncomplete ? <p>{requiredSentence(hostLabels)}</p> : null}
              {hasReasons ? (
                <p>{`${reasons.length === 1 ? 'One reason stands' : `${reasons.length} reasons stand`} against it. Nothing was saved.`}</p>
              ) : null}
              {others.map(inWordsOfForm).map(({ code, sentence, remedy }) => (
                <p key={code}>{`${sentence} ${remedy}`}</p>
              ))}
            </Notice>
          ) : null}
        </Announced>
        <div ref={steps} className="content-steps">
          <button
            type="submit"
            className={isPublished || isGone ? 'button button-solid' : 'button'}
            aria-disabled={isSaving}
          >
            {isSaving
              ? 'Saving...'
              : isGone
                ? 'Save as a new entry'
                : item === undefined || item.status === 'draft'
                  ? 'Save draft'
                  : 'Save'}
          </button>
          {isGone ? null : isPublished ? (
            <Unpublish isBusy={isSaving} onConfirm={state.unpublish} />
          ) : (
            <button
              type="button"
              className="button button-solid"
              aria-disabled={isSaving}
              onClick={() => state.save(true)}
            >
              {isAhead ? 'Schedule' : 'Publish'}
            </button>
          )}
          {item?.status === 'restricted' ? (
            <button type="button" className="button" aria-disabled={isSaving} onClick={state.unpublish}>
              Make it a draft
            </button>
          ) : null}
          <button
            type="button"
            className="button button-quiet"
            onClick={() => {
              state.discard()
              onClose()
            }}
          >
            {isGone ? 'Discard' : state.isDirty ? 'Cancel' : 'Close'}
          </button>
        </div>
        <Announced>{notice}</Announced>
      </form>
    </section>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="content-group">
      <legend>{title}</legend>
      <div className="content-fields">{children}</div>
    </fieldset>
  )
}

/** One click too many takes an entry off the site: the first asks. */
function Unpublish({ isBusy, onConfirm }: { isBusy: boolean; onConfirm: () => void }) {
  const [isAsked, setIsAsked] = useState(false)
  if (!isAsked) {
    return (
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => setIsAsked(true)}>
        Unpublish
      </button>
    )
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

function helpOfPostDate(item: ItemForAdmin | undefined): string {
  return `Published ahead of its day, it stays invisible until then. Empty: ${item === undefined ? 'today' : 'the day it was added'}.`
}
