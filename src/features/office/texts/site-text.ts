import type { TextSettings } from '../office-config.server.ts'

/** The kind of a text decides how it is checked, edited and shown. */
export type SiteTextKind =
  | 'line'
  /** Lines, each an entry of a list. */
  | 'list'
  /** Paragraphs, headings and lists (`text-blocks.ts`). */
  | 'document'
  | 'email'
  | 'address'
  /** A day of the calendar, as `YYYY-MM-DD`. */
  | 'date'

/** The headings under which administrators find the texts, in their order. */
export const siteTextGroups = ['Brand', 'Contact', 'Plans', 'Legal'] as const

/** The settings of all features that first texts are made of. */
export interface TextFacts extends TextSettings {
  auditDays: number
  noticeDays: number
  earlyAccessDays: number
  supportFormUrl: string | undefined
  /** @see metGateway */
  gateway: { provider: GatewayProvider; isIdle?: boolean }
}

type GatewayProvider = 'local' | 'linkvertise' | 'off'

/** The gateway that free downloads pass: none where no link of a free entry is on a file host. */
export function metGateway({ provider, isIdle = false }: TextFacts['gateway']): GatewayProvider {
  return isIdle ? 'off' : provider
}

/** A text of the site that administrators may change. The feature that shows it declares it. */
export interface SiteText {
  /** `group.name`, as it is stored. */
  key: `${string}.${string}`
  label: string
  /** The place where it is shown. */
  help: string
  group: (typeof siteTextGroups)[number]
  kind: SiteTextKind
  /** The length of the whole text, or of one line of a list. */
  maxLength: number
  maxLines?: number
  /** For a list that is a table: the parts of each line, with `|` between them. */
  columns?: number
  isOptional?: boolean
  /** Another page than that of the texts edits it. */
  isHidden?: boolean
  /**
   * The text while nobody has changed it.
   * @param facts with the texts and the gateway in force
   */
  first: (facts: TextFacts) => string
}

/** A text that overrides a setting of the environment, for every reader of the setting. */
export interface SettingText extends Omit<SiteText, 'first'> {
  setting: keyof TextSettings
}

export type DeclaredText = SiteText | SettingText
