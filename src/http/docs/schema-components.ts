import { z } from 'zod'
import type { $ZodType } from 'zod/v4/core'
import { FileAnswer } from '../route.ts'
import type { DocumentedRoute } from './documented-route.ts'

export type Json = Record<string, unknown>

const place = '#/components/schemas/'

/**
 * The schemas of routes as JSON schemas. Those that a module exports are components under the names of their exports, and
 * those that have an `id` among their facts (`.meta`) under that.
 */
export class SchemaComponents {
  readonly #names = z.registry<{ id: string }>()
  readonly #schemas: Readonly<Record<string, Json>>

  /** @throws when modules export two schemas under one name */
  constructor(routes: readonly DocumentedRoute[], modules: readonly object[]) {
    const exported = new Map<string, $ZodType>()
    for (const [id, schema] of modules.flatMap((module) => Object.entries(module))) {
      if (!isSchema(schema)) continue
      if ((exported.get(id) ?? schema) !== schema) throw new Error(`Two schemas have the name ${id}.`)
      exported.set(id, schema)
      this.#names.add(schema, { id })
    }
    const ofRoutes = routes.flatMap(({ params, query, body, described, answers }) =>
      [params, query, body, described?.query, described?.body, ...Object.values(answers)].filter(isSchema),
    )
    for (const [number, schema] of ofRoutes.entries())
      if (!this.#names.has(schema))
        this.#names.add(schema, { id: z.globalRegistry.get(schema)?.id ?? `${unnamed}${number}` })
    const made = z.toJSONSchema(this.#names, {
      io: 'input',
      uri: (name) => place + name,
      override: ({ jsonSchema }) => {
        // The bounds of JavaScript's own integers say nothing.
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      },
    })
    // Zod sets those apart that have an `id` and stand inside of others only.
    const text = JSON.stringify(made.schemas).replaceAll(`${place}__shared#/$defs/`, place)
    const { __shared: inner, ...schemas } = JSON.parse(text) as Record<string, Json>
    this.#schemas = { ...(inner?.['$defs'] as Record<string, Json> | undefined), ...schemas }
    for (const schema of Object.values(this.#schemas)) {
      delete schema['$id']
      delete schema['$schema']
    }
  }

  /** Undefined for a route's own. */
  nameOf(schema: $ZodType): string | undefined {
    const name = this.#names.get(schema)?.id
    return name?.startsWith(unnamed) === true ? undefined : name
  }

  /** A reference to it where it has a name, else all of it. */
  of(schema: $ZodType): Json {
    const name = this.nameOf(schema)
    return name === undefined ? this.whole(schema) : { $ref: place + name }
  }

  whole(schema: $ZodType): Json {
    return this.#schemas[this.#names.get(schema)?.id ?? ''] ?? {}
  }

  /** The components that a part of the document refers to, and those that these refer to. */
  referredFrom(part: Json): Record<string, Json> {
    const found = new Map<string, Json>()
    const collect = (value: unknown): void => {
      for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        const schema = this.#schemas[name]
        if (schema === undefined) throw new Error(`No module exports the schema ${name}.`)
        if (found.has(name)) continue
        found.set(name, schema)
        collect(schema)
      }
    }
    collect(part)
    return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Begins what a route's own schema is called as long as the document is made. */
const unnamed = '-'

function isSchema(value: unknown): value is $ZodType {
  return typeof value === 'object' && value !== null && !(value instanceof FileAnswer) && '_zod' in value
}
