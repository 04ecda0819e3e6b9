import type { TextBlock } from '../../office/texts/text-blocks.ts'

export interface LegalText {
  title: string
  /** Not the operator's own yet: the page says so. */
  isDraft: boolean
  blocks: TextBlock[]
}
