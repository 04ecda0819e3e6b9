import { type Inks, inksByDay, inksByNight } from './inks.ts'
import type { DrawnWork } from './drawn-work.ts'
import { paperOf } from './papers.ts'
import { escaped, setText } from './set-text.server.ts'

/** The size of a drawn cover, in its own units; pages reserve its shape. */
const coverSize = { width: 320, height: 460 } as const

/** A cover as a drawing: title and creator on the colour of the shelf, over the paper that the slug chooses. */
export function drawCover(work: DrawnWork): string {
  const { width, height } = coverSize
  const { texts, bottom } = writing(work, {
    x: 34,
    y: 30,
    width: 222,
    height: 300,
    sizes: [32, 29, 26, 23, 20, 17, 14.5],
  })
  const top = Math.max(238, bottom + 22)
  const paper = paperOf(work.slug, { x: 14, y: top, width: width - 14, height: height - top })
  const outline = `M3 .75H${width - 14}a13.25 13.25 0 0 1 13.25 13.25V${height - 14}a13.25 13.25 0 0 1 -13.25 13.25H3a2.25 2.25 0 0 1 -2.25 -2.25V3A2.25 2.25 0 0 1 3 .75Z`
  return drawing(work, { width, height }, [
    `<clipPath id="c"><path d="${outline}"/></clipPath>`,
    `<path class="g" fill="${inksByDay[work.shelf].ground}" d="${outline}"/>`,
    `<g clip-path="url(#c)"><svg x="14" y="${top}" width="${width - 14}" height="${height - top}" viewBox="14 ${top} ${width - 14} ${height - top}"><path class="l" fill="none" stroke="${inksByDay[work.shelf].line}" stroke-width=".9" stroke-opacity=".62" d="${paper}"/></svg>`,
    `<path class="l" fill="none" stroke="${inksByDay[work.shelf].line}" stroke-width="1.5" d="M7.5 0V${height}M13.25 0V${height}"/>`,
    `<path class="s" fill="${inksByDay[work.shelf].solid}" d="M274 0h21v50l-10.5 -9l-10.5 9z"/></g>`,
    `<path class="l" fill="none" stroke="${inksByDay[work.shelf].line}" stroke-width="1.5" d="${outline}"/>`,
    texts,
  ])
}

interface Page {
  x: number
  y: number
  width: number
  height: number
  sizes: readonly number[]
}

/** Title, then number and creator. */
export function writing(work: DrawnWork, { x, y, width, height, sizes }: Page): { texts: string; bottom: number } {
  const inks = inksByDay[work.shelf]
  const by = [
    ...(work.seriesNumber === undefined ? [] : [`No. ${work.seriesNumber}`]),
    ...(work.creators.length > 3 ? [`${work.creators.slice(0, 2).join(', ')} and others`] : [work.creators.join(', ')]),
  ].filter((line) => line !== '')
  const title = setText(
    { text: work.name, width, height: by.length === 0 ? height : height * 0.76, sizes, leading: 1.16 },
    { x, y },
    `class="t" fill="${inks.title}"`,
  )
  let bottom = y + title.height
  let texts = title.svg
  const size = Math.max(13, Math.min(title.size * 0.6, 38))
  for (const [place, text] of by.entries()) {
    const line = setText(
      { text, width, height: size * 1.3 * 3, sizes: [size, size * 0.86], leading: 1.3 },
      { x, y: bottom + (place === 0 ? size * 0.55 : 0) },
      `class="x" fill="${inks.text}"`,
    )
    texts += line.svg
    bottom += line.height + (place === 0 ? size * 0.55 : 0)
  }
  return { texts, bottom }
}

/** The whole drawing, with the colours of the night for pages that are dark. */
export function drawing(
  work: DrawnWork,
  { width, height }: { width: number; height: number },
  parts: readonly string[],
): string {
  const by = work.creators.join(', ')
  const title = by === '' ? work.name : `${work.name}, ${by}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>@media (prefers-color-scheme:dark){${nightOf(inksByNight[work.shelf])}}</style>`,
    ...parts,
    '</svg>',
  ].join('')
}

function nightOf({ ground, line, text, solid, title }: Inks): string {
  return `.g{fill:${ground}}.l{stroke:${line}}.x{fill:${text}}.s{fill:${solid}}.t{fill:${title}}`
}
