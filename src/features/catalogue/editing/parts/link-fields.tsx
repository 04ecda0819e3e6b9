import { TextField } from '../../../../ui/text-field.tsx'
import { linkOfFormat, type LinkSlot } from '../../item/link-slots.ts'
import { FieldGroup } from './field-group.tsx'
import { fieldLabel, slotLabel } from './content-words.ts'
import { ItemField } from './item-field.tsx'
import { problemOf } from './problems.ts'
import type { ContentFormState } from './use-content-form.ts'

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

/** The links of an item, and what is said of the files behind those that it has. */
export function LinkFields({
  state: { values, reasons, set },
  hostLabels,
}: {
  state: ContentFormState
  hostLabels: readonly string[]
}) {
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
            label={slotLabel(slot, hostLabels)}
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
          {formats.map(([path]) => (
            <ItemField
              key={path}
              path={path}
              label={fieldLabel(path, hostLabels)}
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
