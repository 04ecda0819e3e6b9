import { contrastOf, type Oklch, oklchOf } from '../../../ui/contrast.ts'

/** The shelves whose colour can be changed. Banned keeps its red: that also marks errors and what is final. */
export const colouredShelves = ['asian', 'western', 'unknown', 'vip'] as const
export type ColouredShelf = (typeof colouredShelves)[number]

export const shelfNames: Readonly<Record<ColouredShelf, string>> = {
  asian: 'Asian',
  western: 'Western',
  unknown: 'Unknown',
  vip: 'VIP',
}

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

const parts = ['tint', 'line', 'text', 'solid'] as const
type Part = (typeof parts)[number]
export type Palette = Readonly<Record<Theme, Readonly<Record<Part, Oklch>>>>

/** The colours that accents stand on, and those that stand on accents; they are those of `ui/tokens.css`. */
export const neutrals = {
  light: {
    page: [0.974, 0.008, 84],
    raised: [0.991, 0.004, 84],
    sunk: [0.951, 0.011, 84],
    hover: [0.935, 0.014, 84],
    hairline: [0.905, 0.013, 84],
    soft: [0.41, 0.017, 66],
    ink: [0.25, 0.018, 60],
    'on-solid': [0.991, 0.004, 84],
  },
  dark: {
    page: [0.195, 0.02, 268],
    raised: [0.228, 0.022, 268],
    sunk: [0.165, 0.018, 268],
    hover: [0.255, 0.024, 268],
    hairline: [0.272, 0.022, 268],
    soft: [0.79, 0.012, 268],
    ink: [0.935, 0.01, 84],
    'on-solid': [0.17, 0.02, 268],
  },
} as const satisfies Record<Theme, Record<string, Oklch>>

/** Lightness, and the share of the chosen chroma. Gold is light in both themes and carries ink. */
const steps: Readonly<Record<Theme, Readonly<Record<Part, readonly [lightness: number, share: number]>>>> = {
  light: { tint: [0.95, 0.13], line: [0.6, 0.8], text: [0.46, 0.9], solid: [0.5, 1] },
  dark: { tint: [0.265, 0.28], line: [0.585, 0.7], text: [0.81, 0.55], solid: [0.75, 0.7] },
}
const solidOfVip = { light: 0.605, dark: 0.8 }
/** Ink on a chosen gold; darker than on the house's, so that more colours can carry it. */
const inkOnVip = { light: [0.15, 0.02, 70], dark: [0.2, 0.02, 70] } as const satisfies Record<Theme, Oklch>
const strongest = 0.19

/** The colours of a shelf in both themes: hue and strength are those of a colour like `#7a3fb0`, each lightness is the house's. */
export function paletteOf(shelf: ColouredShelf, hex: string): Palette {
  const [, chosen, hue] = oklchOf(hex)
  const chroma = Math.min(chosen, strongest)
  const inTheme = (theme: Theme) =>
    Object.fromEntries(
      parts.map((part): [Part, Oklch] => {
        const [lightness, share] = steps[theme][part]
        const own = shelf === 'vip' && part === 'solid' ? solidOfVip[theme] : lightness
        return [part, [own, round(chroma * share, 3), round(hue, 1)]]
      }),
    ) as Record<Part, Oklch>
  return { light: inTheme('light'), dark: inTheme('dark') }
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}

export interface Measured {
  theme: Theme
  /** Such as 'text on the page'. */
  what: string
  ratio: number
  /** The lowest that WCAG AA allows. */
  least: number
}

/** The lowest contrasts of a palette in each theme: of text, of marks, and of text on the colour itself. */
export function measure(shelf: ColouredShelf, palette: Palette): Measured[] {
  return themes.flatMap((theme) => {
    const own = palette[theme]
    const grounds = neutrals[theme]
    const lowest = (what: string, least: number, pairs: [Oklch, Oklch][]): Measured => ({
      theme,
      what,
      least,
      ratio: Math.min(...pairs.map(([one, other]) => contrastOf(one, other))),
    })
    const { page, raised, sunk, hover, soft } = grounds
    return [
      lowest('text', 4.5, [
        ...[page, raised, sunk, hover, own.tint].map((ground): [Oklch, Oklch] => [own.text, ground]),
        [soft, own.tint],
      ]),
      lowest(
        'marks',
        3,
        [page, raised, sunk].flatMap((ground): [Oklch, Oklch][] => [
          [own.line, ground],
          [own.solid, ground],
        ]),
      ),
      lowest('text on the colour', 4.5, [[shelf === 'vip' ? inkOnVip[theme] : grounds['on-solid'], own.solid]]),
    ]
  })
}

/** The style sheet that puts chosen colours in the place of the house's. */
export function colourSheet(colours: Readonly<Record<ColouredShelf, string>>): string {
  const rules = themes.map((theme) => {
    const lines = colouredShelves.flatMap((shelf) =>
      colours[shelf] === '' ? [] : tokensOf(shelf, colours[shelf], theme).map((token) => token.join(':')),
    )
    // As in `ui/tokens.css`; this sheet stands in no layer, so it goes before that.
    return lines.length === 0 ? '' : `${theme === 'light' ? ':root' : 'body:not(.light-mode)'}{${lines.join(';')}}`
  })
  return rules.join('')
}

/** The names of a shelf's colours in style sheets, each with its value. */
export function tokensOf(shelf: ColouredShelf, hex: string, theme: Theme): [name: string, value: string][] {
  const own = Object.entries(paletteOf(shelf, hex)[theme]).map(([part, colour]): [string, string] => [
    `--color-${shelf}-${part}`,
    inCss(colour),
  ])
  return shelf === 'vip' ? [...own, ['--color-on-vip', inCss(inkOnVip[theme])]] : own
}

export function inCss([lightness, chroma, hue]: Oklch): string {
  return `oklch(${lightness} ${chroma} ${hue})`
}

/** The two shelves whose colours are hardest to tell apart, where they nearly are one. */
export function alikeShelves(
  colours: Readonly<Record<ColouredShelf, string>>,
): [ColouredShelf, ColouredShelf] | undefined {
  const chosen = colouredShelves.filter((shelf) => colours[shelf] !== '')
  for (const [place, one] of chosen.entries()) {
    for (const other of chosen.slice(place + 1)) {
      const [, chromaA, hueA] = paletteOf(one, colours[one]).light.text
      const [, chromaB, hueB] = paletteOf(other, colours[other]).light.text
      const [a, b] = [(hueA * Math.PI) / 180, (hueB * Math.PI) / 180]
      const apart = Math.hypot(
        chromaA * Math.cos(a) - chromaB * Math.cos(b),
        chromaA * Math.sin(a) - chromaB * Math.sin(b),
      )
      if (apart < 0.05) return [one, other]
    }
  }
  return undefined
}
