import type { AccountsTables } from '../../../db/tables/accounts.ts'
import type { Queryable } from '../../../db/queryable.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { DeclaredText, SettingText, TextSetting } from './site-text.ts'
import { linesIn } from './text-blocks.ts'

/** What administrators have saved of one text; without a value the first one is in force again. */
export interface SavedText {
  value: string | null
  version: number
  changedAt: Date
}

/**
 * The texts of the site that administrators may change (docs/spec/pages.md#site-texts). What is saved goes before the
 * environment, the files and the defaults of the software, on every instance within a second: the catalogue's change
 * feed tells of a save, and whoever follows it hands the saved rows in (`use`).
 */
export class SiteTexts {
  readonly #declared: ReadonlyMap<string, DeclaredText>
  readonly #environment: Config
  #saved: ReadonlyMap<string, SavedText> = new Map()
  /** The settings with the texts that go before them: each is read anew from what is in force. */
  readonly config: Config

  constructor(declared: readonly DeclaredText[], environment: Config) {
    this.#declared = new Map(declared.map((text) => [text.key, text]))
    if (this.#declared.size !== declared.length) throw new Error('Two texts of the site have the same key.')
    this.#environment = environment
    this.config = this.#configInForce()
  }

  /** All texts, in the order in which the features declare them. */
  get declared(): readonly DeclaredText[] {
    return [...this.#declared.values()]
  }

  async readSaved(db: Queryable<AccountsTables>): Promise<ReadonlyMap<string, SavedText>> {
    const rows = await db.selectFrom('site_texts').selectAll().execute()
    return new Map(rows.map(({ key, value, version, changed_at }) => [key, { value, version, changedAt: changed_at }]))
  }

  /** Puts what is saved in force. */
  use(saved: ReadonlyMap<string, SavedText>): void {
    this.#saved = saved
  }

  /** The text in force. */
  get(key: DeclaredText['key']): string {
    return this.#saved.get(key)?.value ?? this.first(this.#textOf(key))
  }

  /** The entries in force of a text that is a list. */
  list(key: DeclaredText['key']): string[] {
    return linesIn(this.get(key))
  }

  /** Whether administrators have changed it. */
  isChanged(key: DeclaredText['key']): boolean {
    return (this.#saved.get(key)?.value ?? null) !== null
  }

  /** The text while nobody has changed it. */
  first(text: DeclaredText): string {
    return 'setting' in text ? this.#environment[text.setting] : text.first(this.config)
  }

  #textOf(key: string): DeclaredText {
    const text = this.#declared.get(key)
    if (text === undefined) throw new Error(`No feature declares the text ${key}.`)
    return text
  }

  #configInForce(): Config {
    const texts = [...this.#declared.values()].filter((text): text is SettingText => 'setting' in text)
    const getters = Object.fromEntries(
      texts.map(({ key, setting }): [TextSetting, PropertyDescriptor] => [
        setting,
        { get: () => this.get(key), enumerable: true },
      ]),
    )
    const environment = this.#environment
    const { mailFrom } = environment
    return Object.freeze(
      Object.defineProperties(
        { ...environment },
        {
          ...getters,
          mailFrom: {
            // A sender that is named after the site goes by its name in force.
            get: (): Config['mailFrom'] =>
              mailFrom.name === environment.brandName ? { ...mailFrom, name: this.config.brandName } : mailFrom,
            enumerable: true,
          },
        },
      ),
    )
  }
}
