import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import type { FormField } from '../../../../ui/form/use-form.ts'
import { type ColouredShelf, measure, paletteOf, shelfNames, themes } from '../../appearance/palette.ts'
import { houseColours } from './appearance-preview.tsx'

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** The colour of a shelf, to be picked or typed, with the contrasts that it would have. */
export function ColourField({
  shelf,
  field,
  value,
  onChange,
}: {
  shelf: ColouredShelf
  field: FormField
  value: string
  onChange: (colour: string) => void
}) {
  const name = shelfNames[shelf]
  const typed = value.trim()
  return (
    <div className="look-colour">
      <TextField
        {...field}
        label={name}
        placeholder="Built-in"
        autoComplete="off"
        spellCheck={false}
        help={isColour(typed) ? contrastsInWords(shelf, typed) : 'Like #7a3fb0. Leave empty for the built-in colour.'}
      />
      <input
        type="color"
        aria-label={`Pick the colour of ${name}`}
        value={isColour(typed) ? typed.toLowerCase() : houseColours[shelf]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Button label="Restore" about={`: ${name}`} disabled={typed === ''} onClick={() => onChange('')} />
    </div>
  )
}

/** 'Contrast of text 5.1 : 1 in light, 8.2 : 1 in dark; of marks …' */
function contrastsInWords(shelf: ColouredShelf, hex: string): string {
  const measured = measure(shelf, paletteOf(shelf, hex))
  const kinds = [...new Set(measured.map(({ what }) => what))]
  return kinds
    .map((kind) => {
      const ratios = themes.map((theme) => {
        const own = measured.find((one) => one.theme === theme && one.what === kind)
        return `${(own?.ratio ?? 0).toFixed(1)} : 1 ${theme}`
      })
      return `${kind[0]?.toUpperCase() ?? ''}${kind.slice(1)} ${ratios.join(', ')}`
    })
    .join(' · ')
}
