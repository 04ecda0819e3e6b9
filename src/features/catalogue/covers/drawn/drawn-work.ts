import type { CoverShelf } from './inks.ts'

export interface DrawnWork {
  slug: string
  name: string
  creators: readonly string[]
  seriesNumber: number | undefined
  shelf: CoverShelf
}

/** Raised with every change of the drawing, so that no kept one outlives it. */
export const drawingEdition = 3
