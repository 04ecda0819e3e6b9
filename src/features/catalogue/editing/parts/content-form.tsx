import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Announced } from '../../../../ui/notice.tsx'
import type { FileHost } from '../../catalogue-config.server.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import type { ContentSection } from '../content-sections.ts'
import { Consents } from './consents.tsx'
import { ContentFormNotices } from './content-form-notices.tsx'
import { ContentRefusal, ContentSteps } from './content-steps.tsx'
import { CoverField } from './cover-field.tsx'
import { LeaveQuestion } from './edit-panel.tsx'
import { EvidenceFiles } from './evidence-files.tsx'
import { FieldGroup } from './field-group.tsx'
import { isTick, pathsOf, regionIsChosen } from './form-values.ts'
import { ItemField } from './item-field.tsx'
import { problemOf } from './problems.ts'
import { RightsVerification } from './rights-verification.tsx'
import { type ContentFormState, useContentForm } from './use-content-form.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { lineOf } from '../../item/fields.ts'
import { linkOfFormat } from '../../item/link-slots.ts'
import { slotLabels, slotsInOrder } from './content-words.ts'

export interface SiteOfForm {
  fileHosts: readonly FileHost[]
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
  isFreeToLeave,
  onSaved,
  onRecorded,
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
  /** Asks before unsaved changes are left, unless this is set. */
  isFreeToLeave?: RefObject<boolean>
  onSaved: (item: ItemForAdmin, before: ItemForAdmin | undefined) => void
  /** Something of the item was noted by a call of its own, and nothing was saved. */
  onRecorded: (item: ItemForAdmin) => void
  onGone: (id: string) => void
  onClose: () => void
}) {
  const state = useContentForm({ item: given, goneId, section, whose, onSaved, onGone })
  const { values, item, reasons, conflict, isGone, set } = state
  const hostLabels = site.fileHosts.map(({ label }) => label)
  const { form, heading, steps } = useFormFocus(state)
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
  const [today] = useState(() => dayOf(Date.now(), site.timeZone))

  return (
    <section className="content-form" aria-labelledby="content-form-title">
      <h2 id="content-form-title" ref={heading} tabIndex={-1}>
        {isGone ? 'A deleted entry' : item === undefined ? 'New entry' : <bdi>{item.name}</bdi>}
      </h2>
      {isFreeToLeave === undefined ? null : <LeaveQuestion isOn={state.isDirty && !isGone} isFree={isFreeToLeave} />}
      <ContentFormNotices state={state} section={section} whose={whose} hostLabels={hostLabels} />
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
        <FieldGroup title="Cover">
          <CoverField
            item={item}
            isSaving={state.isSaving}
            onBusy={state.setIsChangingCover}
            onChanged={(changed) => {
              state.goOnFrom(changed)
              onRecorded(changed)
            }}
          />
        </FieldGroup>
        <LinkFields state={state} fileHosts={site.fileHosts} />
        <FieldGroup title="Rights">
          {fieldsOf('rights')}
          <div className="content-ticks">{fieldsOf('rights', true)}</div>
          {item === undefined ? null : (
            <RightsVerification
              item={item}
              isDirty={state.isDirty}
              onRead={(current) => {
                state.showStored(current)
                onRecorded(current)
              }}
            />
          )}
        </FieldGroup>
        <FieldGroup title="People">
          {fieldsOf('people')}
          {values.people === 'identifiable' || values.consents.length > 0 ? (
            <Consents
              consents={values.consents}
              item={item}
              reasons={reasons}
              isSaving={state.isBusy}
              onChange={(consents) => set('consents', consents)}
              onRecorded={(changed) => {
                state.goOnFrom(changed)
                onSaved(changed, item)
              }}
            />
          ) : null}
        </FieldGroup>
        <FieldGroup title="Files of evidence">
          <EvidenceFiles item={item} onStored={({ evidenceFiles }) => state.showFiles(evidenceFiles)} />
        </FieldGroup>
        {/* The result of a save stands beside its button, which stays in sight in the panel. */}
        <div className="content-foot">
          <ContentRefusal state={state} hostLabels={hostLabels} />
          {/* That of the save before is no news of this one. */}
          <Announced>{state.isSaving ? null : notice}</Announced>
          <ContentSteps state={state} isAhead={values.postDate > today} steps={steps} onClose={onClose} />
        </div>
      </form>
    </section>
  )
}

/** Keeps the focus where the work goes on: at the heading of a form that opens, at the first field that is refused. */
function useFormFocus({ isGone, refusals, item }: ContentFormState) {
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
  return { form, heading, steps }
}

function helpOfPostDate(item: ItemForAdmin | undefined): string {
  return `With a date in the future, the entry appears on that day. Leave empty for ${item === undefined ? 'today' : 'the day it was added'}.`
}

function LinkFields({
  state: { values, item, reasons, set },
  fileHosts,
}: {
  state: ContentFormState
  fileHosts: readonly FileHost[]
}) {
  const labels = slotLabels(item, fileHosts)
  const formats = slotsInOrder.flatMap((slot) =>
    linkOfFormat.filter(([path, link]) => link === slot && (values[slot] !== '' || values[path] !== '')),
  )
  return (
    <>
      <FieldGroup title="Links">
        {slotsInOrder.map((slot) => (
          <TextField
            key={slot}
            name={slot}
            type="url"
            inputMode="url"
            label={labels[slot]}
            help={slot === 'link' ? 'The main link. It can lead to any site.' : undefined}
            autoComplete="off"
            spellCheck={false}
            value={values[slot]}
            problem={problemOf(reasons, slot)}
            onChange={(event) => set(slot, event.currentTarget.value)}
          />
        ))}
      </FieldGroup>
      {formats.length === 0 ? null : (
        <FieldGroup title="Files behind the links">
          {formats.map(([path, slot]) => (
            <ItemField
              key={path}
              path={path}
              label={`${labels[slot]}: ${lineOf(path).label}`}
              values={values}
              problem={problemOf(reasons, path)}
              onChange={set}
            />
          ))}
        </FieldGroup>
      )}
    </>
  )
}
