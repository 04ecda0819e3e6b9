/** The parts of a JSON schema that are read. */
export interface JsonSchema {
  type?: string | readonly string[]
  format?: string
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: unknown
  /** The schema of a text's decoded content. */
  contentSchema?: JsonSchema
}

/** A schema in few words, much as TypeScript writes types: `instant` is an instant as ISO text. */
export function shapeOf(schema: JsonSchema, indent = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => shapeOf(each, indent)).join(' | ')
  if (schema.contentSchema !== undefined) return `encoded ${shapeOf(schema.contentSchema, indent)}`
  if (schema.format === 'date-time') return 'instant'
  if (schema.format === 'binary') return 'a file'
  if (schema.type === 'array') return listOf(shapeOf(schema.items ?? {}, indent))
  if (schema.type === 'object') return objectOf(schema, indent)
  return schema.type === undefined ? 'anything' : [schema.type].flat().join(' | ')
}

function listOf(each: string): string {
  return / \| /.test(each) && !each.startsWith('{') ? `(${each})[]` : `${each}[]`
}

function objectOf({ properties = {}, required = [] }: JsonSchema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).flatMap(([name, schema]) => [
    ...(schema.description === undefined || schema.format === 'date-time' ? [] : [`${inner}// ${schema.description}`]),
    `${inner}${name}${required.includes(name) ? '' : '?'}: ${shapeOf(schema, inner)}`,
  ])
  return lines.length === 0 ? '{ … }' : ['{', ...lines, `${indent}}`].join('\n')
}
