import { TextField } from '../../../../ui/text-field.tsx'
import type { FileHost } from '../../catalogue-config.server.ts'
import { lineOf } from '../../item/fields.ts'
import { linkOfFormat } from '../../item/link-slots.ts'
import { FieldGroup } from './field-group.tsx'
import { slotLabels, slotsInOrder } from './content-words.ts'
import { ItemField } from './item-field.tsx'
import { problemOf } from './problems.ts'
import type { ContentFormState } from './use-content-form.ts'

export function LinkFields({
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
