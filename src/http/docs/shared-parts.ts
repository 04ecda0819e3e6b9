import type { Json } from './schema-components.ts'

/** Parts of operations, such as parameters. Those that several operations have are components. */
export class SharedParts {
  readonly #kind: string
  /** By their JSON. */
  readonly #parts = new Map<string, { name: string; part: Json; uses: number }>()
  readonly #namesakes = new Map<string, number>()

  /** @param kind its name among the components of OpenAPI */
  constructor(kind: 'parameters' | 'requestBodies' | 'responses') {
    this.#kind = kind
  }

  /**
   * Stands for the part until the document is written: then it is a reference where the part came more than once.
   * @param name is numbered where other parts have it
   */
  use(name: string, part: Json): { toJSON(): Json } {
    const key = JSON.stringify(part)
    const shared = this.#parts.get(key) ?? { name: this.#numbered(name), part, uses: 0 }
    this.#parts.set(key, shared)
    shared.uses += 1
    return { toJSON: () => (shared.uses === 1 ? part : { $ref: `#/components/${this.#kind}/${shared.name}` }) }
  }

  #numbered(name: string): string {
    const number = (this.#namesakes.get(name) ?? 0) + 1
    this.#namesakes.set(name, number)
    return number === 1 ? name : `${name}-${number}`
  }

  /** In the order of the alphabet. */
  components(): Record<string, Json> {
    const shared = [...this.#parts.values()].filter(({ uses }) => uses > 1)
    return Object.fromEntries(
      shared.map(({ name, part }) => [name, part]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    )
  }
}
