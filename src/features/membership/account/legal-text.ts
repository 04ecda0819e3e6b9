/** A piece of a text that the operator has written. */
export type TextBlock = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }

export interface LegalText {
  title: string
  /** Not the operator's own yet: the page says so. */
  isDraft: boolean
  blocks: TextBlock[]
}

export interface LegalTexts {
  terms: LegalText
  privacy: LegalText
}
