import { useState } from 'react'
import { useRevalidator, useRouteLoaderData } from 'react-router'
import { Button } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { uploadFile } from '../../../../browser/api-files.ts'
import { recordChangedSite } from '../../../../browser/changed-site.ts'
import { Checkbox } from '../../../../ui/checkbox.tsx'
import { FileField } from '../../../../ui/file-field.tsx'
import { Form } from '../../../../ui/form/form.tsx'
import type { FormState } from '../../../../ui/form/use-form.ts'
import { TextField } from '../../../../ui/text-field.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { OvertakenNotice } from '../../../office/parts/overtaken-notice.tsx'
import { useStoredForm } from '../../../office/browser/stored-form.ts'
import { type Appearance, AppearanceForAdmin, StoredMark } from '../../appearance/appearance-schema.ts'
import { faultOfAppearance, maxMarkBytes, noAppearance, mostLinks } from '../../appearance/appearance.ts'
import { alikeShelves, colouredShelves, shelfNames } from '../../appearance/palette.ts'
import { AppearancePreview } from './appearance-preview.tsx'
import { ColourField } from './colour-field.tsx'

export const appearancePath = '/api/appearance'

/**
 * Mark, colours, links and announcement, with a preview of what is typed. Nothing is shown to visitors before it is saved; only a
 * picture is stored when it is chosen.
 */
export function AppearanceForm({
  stored,
  name,
  onSaved,
}: {
  stored: AppearanceForAdmin
  name: string
  onSaved: (saved: AppearanceForAdmin) => void
}) {
  const { revalidate } = useRevalidator()
  const [isResetting, setIsResetting] = useState(false)
  const put = async (appearance: Appearance | null, version: number): Promise<AppearanceForAdmin> => {
    const body = { appearance, version }
    const saved = await request(appearancePath, AppearanceForAdmin, { method: 'PUT', body })
    recordChangedSite()
    void revalidate()
    onSaved(saved)
    return saved
  }
  const form = useStoredForm({
    stored,
    valuesOf: ({ appearance }) => valuesOf(appearance),
    check: (values: Appearance) => faultOfAppearance(appearanceIn(values)),
    save: (values, version) => put(appearanceIn(values), version),
    readAgain: () => request(appearancePath, AppearanceForAdmin),
    otherwise: 'The appearance could not be saved.',
  })
  const { conflict, values } = form
  const isOwn = JSON.stringify(stored.appearance) === JSON.stringify(noAppearance)
  return (
    <Form
      form={form}
      act={{
        label: 'Save',
        labelWhileSending: 'Saving...',
        done: form.isSaved ? 'Saved. Every page shows it within a second.' : undefined,
      }}
      className="look-form"
      guardsLeaving
      aria-label="Appearance"
      steps="button-row"
      after={
        isOwn ? null : (
          <Button label="Restore the defaults" aria-haspopup="dialog" onClick={() => setIsResetting(true)} />
        )
      }
      notes={
        conflict === undefined ? null : (
          <OvertakenNotice
            sentence="Somebody else has saved in the meantime. Your changes are still here; save again to replace theirs."
            ifSame="They have saved the same."
            lines={differencesOf(appearanceIn(values), conflict.theirs.appearance)}
          />
        )
      }
    >
      <AppearancePreview name={name} appearance={values} />
      <div className="look-fields">
        <Mark form={form} />
        <Colours form={form} />
        <Links form={form} />
        <Banner form={form} />
      </div>
      {isResetting ? (
        <ConfirmDialog
          title="Restore the defaults?"
          label="Restore"
          labelWhileSending="Restoring..."
          otherwise="The defaults could not be restored."
          act={async () => {
            form.reset(valuesOf((await put(null, stored.version)).appearance))
            setIsResetting(false)
          }}
          onClose={() => setIsResetting(false)}
        >
          <p>Mark, colours, links and announcement go back to those of the house. Name and texts stay.</p>
        </ConfirmDialog>
      ) : null}
    </Form>
  )
}

type Part = { form: FormState<Appearance> }

function Mark({ form }: Part) {
  const [sending, setSending] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const { mark } = form.values
  const send = async (file: File): Promise<void> => {
    setSending(file)
    setProblem(undefined)
    await form.attempt(async () => {
      form.set('mark', (await uploadFile(`${appearancePath}/mark`, file, StoredMark)).mark)
    })
    setSending(undefined)
  }
  return (
    <fieldset className="look-group">
      <legend>Mark</legend>
      <FileField
        name="mark-file"
        label={mark === '' ? 'Picture in place of the ribbon' : 'Another picture'}
        accept=".jpg,.jpeg,.png,.webp"
        help="JPEG, PNG or WebP, at most 2 MB. It stands 36 pixels high in the header of both themes; a transparent ground suits both."
        problem={problem ?? form.problemOf('mark')}
        file={sending}
        isBusy={sending !== undefined}
        onChoose={(file) => {
          if (file === undefined) return
          if (file.size > maxMarkBytes) setProblem('The picture is larger than 2 MB.')
          else void send(file)
        }}
      />
      {mark === '' ? null : (
        <>
          <Checkbox {...form.field('hidesName')} label="The mark says the name already: leave the name out" />
          <p>
            <Button
              label="Go back to the ribbon"
              onClick={() => {
                form.set('mark', '')
                form.set('hidesName', false)
              }}
            />
          </p>
        </>
      )}
    </fieldset>
  )
}

function Colours({ form }: Part) {
  const alike = alikeShelves(appearanceIn(form.values).colours)
  return (
    <fieldset className="look-group">
      <legend>Colours of the shelves</legend>
      <p className="work-aside">
        Hue and strength of a colour are taken; its lightness follows the theme, so that it stays readable. Contrasts
        are measured, and what is below WCAG AA is not saved. Banned keeps its red, which also marks errors.
      </p>
      {colouredShelves.map((shelf) => (
        <ColourField
          key={shelf}
          shelf={shelf}
          field={form.field(`colours.${shelf}`)}
          value={form.values.colours[shelf]}
          onChange={(colour) => form.set(`colours.${shelf}`, colour)}
        />
      ))}
      <p className="work-aside" role="status">
        {alike === undefined
          ? null
          : `${shelfNames[alike[0]]} and ${shelfNames[alike[1]]} are hard to tell apart. You can save them anyway.`}
      </p>
    </fieldset>
  )
}

function Links({ form }: Part) {
  return (
    <fieldset className="look-group">
      <legend>Links in the header</legend>
      <p className="work-aside">They come after the built-in links.</p>
      {form.values.links.map((_, place) => (
        // The places stay.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={place} className="look-pair">
          <TextField {...form.field(`links.${place}.label`)} label={`Text of link ${place + 1}`} autoComplete="off" />
          <TextField
            {...form.field(`links.${place}.to`)}
            label={`Address of link ${place + 1}`}
            placeholder="/plans or https://…"
            autoComplete="off"
          />
        </div>
      ))}
    </fieldset>
  )
}

function Banner({ form }: Part) {
  const timeZone = useRouteLoaderData<{ timeZone: string }>('root')?.timeZone
  return (
    <fieldset className="look-group">
      <legend>Announcement</legend>
      <TextField
        {...form.field('banner.text')}
        label="Text"
        help="Above the header of every page, up to 200 characters. Visitors can close it until the text changes."
        autoComplete="off"
        dir="auto"
      />
      <TextField
        {...form.field('banner.to')}
        label="Leads to (optional)"
        placeholder="/plans or https://…"
        autoComplete="off"
      />
      <div className="look-pair">
        <TextField {...form.field('banner.from')} type="date" label="From (optional)" />
        <TextField
          {...form.field('banner.until')}
          type="date"
          label="Until, inclusive (optional)"
          help={timeZone === undefined ? undefined : `Time zone: ${timeZone}.`}
        />
      </div>
    </fieldset>
  )
}

/** The fields of the form: as many links as there is room for. */
function valuesOf({ links, ...appearance }: Appearance): Appearance {
  return {
    ...appearance,
    links: Array.from({ length: mostLinks }, (_, place) => links[place] ?? { label: '', to: '' }),
  }
}

/** The appearance as it is sent: without blanks around texts, and without links that nobody filled in. */
function appearanceIn({ colours, links, banner, mark, hidesName }: Appearance): Appearance {
  const trimmed = <T extends Record<string, string>>(texts: T): T =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as T
  return {
    colours: trimmed(
      Object.fromEntries(
        colouredShelves.map((shelf) => [shelf, colours[shelf].toLowerCase()]),
      ) as Appearance['colours'],
    ),
    links: links.map((link) => trimmed(link)).filter(({ label, to }) => label !== '' || to !== ''),
    banner: trimmed(banner),
    mark,
    hidesName: mark !== '' && hidesName,
  }
}

/** The parts that two people have made different, in sentences about theirs. */
function differencesOf(mine: Appearance, theirs: Appearance): string[] {
  const lines = ({ colours, links, banner, mark, hidesName }: Appearance): Record<string, string> => ({
    ...Object.fromEntries(colouredShelves.map((shelf) => [`Colour of ${shelfNames[shelf]}`, colours[shelf]])),
    'Header links': links.map(({ label, to }) => `${label} ${to}`).join(', '),
    Announcement: [banner.text, banner.to, banner.from, banner.until].filter((part) => part !== '').join(' · '),
    Mark: mark === '' ? 'the ribbon' : hidesName ? 'a picture, without the name' : 'a picture',
  })
  const own = lines(mine)
  return Object.entries(lines(theirs)).flatMap(([name, value]) =>
    own[name] === value ? [] : [`${name}: ${value === '' ? 'built-in' : value}`],
  )
}
