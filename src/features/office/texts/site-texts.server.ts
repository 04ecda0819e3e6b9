import type { OfficeTables } from '../../../db/tables/office.ts'
import type { Queryable } from '../../../db/queryable.ts'
import type { OfficeConfig } from '../office-config.server.ts'
import type { TextSettings } from '../office-config.server.ts'
import type { DeclaredText, TextFacts } from './site-text.ts'
import { cellsIn, linesIn } from './text-blocks.ts'

/** The saved value of one text; without a value the first one is in force again. */
export interface SavedText {
  value: string | null
  version: number
  changedAt: Date
}

/**
 * The texts of the site that administrators may change (docs/spec/pages.md#site-texts). A saved value goes before the
 * environment, the files and the defaults, on every instance within a second: the catalogue's change feed reports a
 * save, and its follower passes the saved rows in (`use`). The settings (`app.config`) never change.
 */
export class SiteTexts {
  readonly #declared: ReadonlyMap<string, DeclaredText>
  readonly #environment: TextFacts & Pick<OfficeConfig, 'mailFrom'>
  #gateway: TextFacts['gateway']
  #saved: ReadonlyMap<string, SavedText> = new Map()

  constructor(declared: readonly DeclaredText[], environment: TextFacts & Pick<OfficeConfig, 'mailFrom'>) {
    this.#declared = new Map(declared.map((text) => [text.key, text]))
    if (this.#declared.size !== declared.length) throw new Error('Two texts of the site have the same key.')
    this.#environment = environment
    this.#gateway = environment.gateway
  }

  /** All texts, in the order in which the features declare them. */
  get declared(): readonly DeclaredText[] {
    return [...this.#declared.values()]
  }

  async readSaved(db: Queryable<OfficeTables>): Promise<ReadonlyMap<string, SavedText>> {
    const rows = await db.selectFrom('site_texts').selectAll().execute()
    return new Map(rows.map(({ key, value, version, changed_at }) => [key, { value, version, changedAt: changed_at }]))
  }

  use(saved: ReadonlyMap<string, SavedText>): void {
    this.#saved = saved
  }

  /** Has the first texts say what the gateway in force does; its provider is `off` while it cannot work. */
  useGateway(gateway: TextFacts['gateway']): void {
    this.#gateway = gateway
  }

  get(key: DeclaredText['key']): string {
    return this.#saved.get(key)?.value ?? this.first(this.#textOf(key))
  }

  list(key: DeclaredText['key']): string[] {
    return linesIn(this.get(key))
  }

  table(key: DeclaredText['key']): string[][] {
    return this.list(key).map(cellsIn)
  }

  isChanged(key: DeclaredText['key']): boolean {
    return (this.#saved.get(key)?.value ?? null) !== null
  }

  /** The text while nobody has changed it. */
  first(text: DeclaredText): string {
    if ('setting' in text) return this.#environment[text.setting]
    return text.first({ ...this.#environment, ...this.inForce, gateway: this.#gateway })
  }

  #textOf(key: string): DeclaredText {
    const text = this.#declared.get(key)
    if (text === undefined) throw new Error(`No feature declares the text ${key}.`)
    return text
  }

  /** The texts in force whose first values are settings, as they are now. Read it where it is used, and keep no copy. */
  get inForce(): Readonly<TextSettings> {
    const { brandName, contactEmail, dmcaEmail, communityUrl, vipCommunityUrl, accessDeniedMessage } = this.#environment
    const inForce = { brandName, contactEmail, dmcaEmail, communityUrl, vipCommunityUrl, accessDeniedMessage }
    for (const text of this.#declared.values()) if ('setting' in text) inForce[text.setting] = this.get(text.key)
    return inForce
  }

  /** The sender of emails, as of now: one that is named after the site goes by its name in force. */
  get sender(): OfficeConfig['mailFrom'] {
    const { mailFrom, brandName } = this.#environment
    return mailFrom.name === brandName ? { ...mailFrom, name: this.inForce.brandName } : mailFrom
  }
}
