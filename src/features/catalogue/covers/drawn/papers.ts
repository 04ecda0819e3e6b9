/*
 * The papers of drawn covers: patterns of lines of one ink, from circles and squares of one size. The slug of an item chooses
 * one, its scale and, in those that are laid of tiles, each tile.
 */

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Numbers from 0 to 1 that a text decides. */
function chance(text: string): () => number {
  let state = 2_166_136_261
  for (let place = 0; place < text.length; place += 1) state = Math.imul(state ^ text.charCodeAt(place), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const n = (value: number): string => String(Math.round(value * 10) / 10)

/** A tile that is laid in rows and columns over the box. */
type Laid = (x: number, y: number, size: number, random: () => number, place: { row: number; column: number }) => string

const circle = (x: number, y: number, r: number): string =>
  `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0`

const arc = (x1: number, y1: number, r: number, x2: number, y2: number, sweep: 0 | 1): string =>
  `M${n(x1)} ${n(y1)}A${n(r)} ${n(r)} 0 0 ${sweep} ${n(x2)} ${n(y2)}`

/** Circles that touch, and a diamond of arcs between four of them. */
const tracery: Laid = (x, y, s) => {
  const h = s / 2
  const d = s * 0.09
  return (
    circle(x + h, y + h, h * 0.84) +
    arc(x + h, y, h, x, y + h, 1) +
    arc(x + s, y + h, h, x + h, y, 1) +
    arc(x, y + h, h, x + h, y + s, 1) +
    arc(x + h, y + s, h, x + s, y + h, 1) +
    `M${n(x + d)} ${n(y)}L${n(x)} ${n(y + d)}L${n(x - d)} ${n(y)}L${n(x)} ${n(y - d)}Z`
  )
}

/** Waves in rows: half circles within half circles, each row set off by a half. */
const waves: Laid = (x, y, s, _random, { row }) => {
  const left = x + (row % 2 === 0 ? 0 : -s / 2)
  return [0.5, 0.37, 0.24, 0.11]
    .map((part) => arc(left + s / 2 - s * part, y + s / 2, s * part, left + s / 2 + s * part, y + s / 2, 1))
    .join('')
}

/** Quarter circles, each tile turned by chance: they join to one endless line. */
const ribbons: Laid = (x, y, s, random) => {
  const isTurned = random() < 0.5
  return [1 / 3, 1 / 2, 2 / 3]
    .map((part) => {
      const r = s * part
      return isTurned
        ? arc(x, y + r, r, x + r, y, 0) + arc(x + s - r, y + s, r, x + s, y + s - r, 1)
        : arc(x + s - r, y, r, x + s, y + r, 0) + arc(x, y + s - r, r, x + r, y + s, 1)
    })
    .join('')
}

/** Woven bands, over and under. */
const weave: Laid = (x, y, s, _random, { row, column }) => {
  const isOver = (row + column) % 2 === 0
  return [0.12, 0.37, 0.63, 0.88]
    .map((part) => {
      const at = s * part
      return isOver ? `M${n(x)} ${n(y + at)}h${n(s)}` : `M${n(x + at)} ${n(y)}v${n(s)}`
    })
    .join('')
}

/** Fans of quarter circles, opened to one of four sides by chance. */
const fans: Laid = (x, y, s, random) => {
  const side = Math.floor(random() * 4)
  return [0.2, 0.4, 0.6, 0.8, 1]
    .map((part) => {
      const r = s * part
      if (side === 0) return arc(x + r, y, r, x, y + r, 1)
      if (side === 1) return arc(x + s, y + r, r, x + s - r, y, 1)
      if (side === 2) return arc(x + s - r, y + s, r, x + s, y + s - r, 1)
      return arc(x, y + s - r, r, x + r, y + s, 1)
    })
    .join('')
}

/** Stars of eight points between crosses. */
const stars: Laid = (x, y, s) => {
  const [a, b, c] = [s * 0.25, s * 0.5, s * 0.75]
  const square = `M${n(x + a)} ${n(y + a)}H${n(x + c)}V${n(y + c)}H${n(x + a)}Z`
  const k = s * 0.354
  const turned = `M${n(x + b)} ${n(y + b - k)}L${n(x + b + k)} ${n(y + b)}L${n(x + b)} ${n(y + b + k)}L${n(x + b - k)} ${n(y + b)}Z`
  const spokes = `M${n(x)} ${n(y + b)}H${n(x + b - k)}M${n(x + b + k)} ${n(y + b)}H${n(x + s)}M${n(x + b)} ${n(y)}V${n(y + b - k)}M${n(x + b)} ${n(y + b + k)}V${n(y + s)}`
  return square + turned + spokes + circle(x + b, y + b, s * 0.09)
}

/** Steps of slanted lines, turned from tile to tile. */
const slants: Laid = (x, y, s, _random, { row, column }) => {
  const isUp = (row + column) % 2 === 0
  return [0.25, 0.5, 0.75, 1]
    .map((part) => {
      const at = s * part
      if (part === 1)
        return isUp ? `M${n(x)} ${n(y + s)}L${n(x + s)} ${n(y)}` : `M${n(x)} ${n(y)}L${n(x + s)} ${n(y + s)}`
      return isUp
        ? `M${n(x)} ${n(y + at)}L${n(x + at)} ${n(y)}M${n(x + s)} ${n(y + s - at)}L${n(x + s - at)} ${n(y + s)}`
        : `M${n(x + s)} ${n(y + at)}L${n(x + s - at)} ${n(y)}M${n(x)} ${n(y + s - at)}L${n(x + at)} ${n(y + s)}`
    })
    .join('')
}

const papers: readonly Laid[] = [tracery, waves, ribbons, weave, fans, stars, slants]
const sizes = [30, 36, 44]

/**
 * The paper that a slug chooses, as the data of one path of lines.
 * @param scale makes every tile so many times larger
 */
export function paperOf(slug: string, { x, y, width, height }: Box, scale = 1): string {
  const random = chance(slug)
  const laid = papers[Math.floor(random() * papers.length)] ?? tracery
  const size = (sizes[Math.floor(random() * sizes.length)] ?? 36) * scale
  // Rows of waves lie over each other.
  const rise = laid === waves ? size / 4 : size
  let path = ''
  for (let row = 0; row * rise < height + size; row += 1) {
    for (let column = 0; column * size < width + size; column += 1) {
      path += laid(x + column * size, y + row * rise, size, random, { row, column })
    }
  }
  return path
}
