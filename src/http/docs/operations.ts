import type { $ZodType } from 'zod/v4/core'
import { defaultMaxBodyBytes, FileAnswer, proofOf } from '../route.ts'
import { type DocumentedRoute, keysOf } from './documented-route.ts'
import { errorAnswerOf } from './error-answers.ts'
import type { ErrorCode } from './error-code.ts'
import { errorsEverywhere, errorsOfBodies, errorsOfRoute } from './errors-of-route.ts'
import type { Json, SchemaComponents } from './schema-components.ts'

/** The security of an operation that does not say another one. */
export const usualSecurity = [{ bearer: [] }]

export class Operations {
  readonly #schemas: SchemaComponents
  readonly #errors: ReadonlyMap<string, ErrorCode>
  readonly parameters = new SharedParts('parameters')
  readonly bodies = new SharedParts('requestBodies')
  readonly responses = new SharedParts('responses')

  constructor(schemas: SchemaComponents, errorCodes: readonly ErrorCode[]) {
    this.#schemas = schemas
    this.#errors = new Map(errorCodes.map((each) => [each.code, each]))
  }

  /** @throws when the route declares an error code that no list explains */
  ofRoute(route: DocumentedRoute, tag: string): Json {
    const { method, path, access, summary, caching, rateLimit } = route
    const proofMinutes = proofOf(route)
    const parameters = [
      ...this.#parametersOf('path', route.params),
      ...this.#parametersOf('query', route.query ?? route.described?.query),
    ]
    return {
      operationId: operationIdOf(method, path),
      tags: [tag],
      summary,
      ...(parameters.length === 0 ? {} : { parameters }),
      ...this.#bodyOf(route),
      ...securityOf(route),
      responses: { ...this.#answersOf(route), ...this.#errorsOf(route) },
      'x-access': access,
      ...(proofMinutes === undefined ? {} : { 'x-proof-within-minutes': proofMinutes }),
      ...(caching === 'never' ? {} : { 'x-caching': caching }),
      ...(method === 'GET' ? {} : { 'x-max-body-bytes': route.maxBodyBytes ?? defaultMaxBodyBytes }),
      ...(rateLimit === undefined ? {} : { 'x-rate-limit': rateLimit }),
    }
  }

  #parametersOf(place: 'path' | 'query', schema: $ZodType | undefined): unknown[] {
    if (schema === undefined) return []
    const { properties = {}, required = [] } = this.#schemas.whole(schema) as {
      properties?: Record<string, Json & { description?: string }>
      required?: string[]
    }
    return Object.entries(properties).map(([name, { description, ...rest }]) => {
      const parameter = {
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
      }
      // One name may mean one thing here and another there.
      const words = (description ?? JSON.stringify(rest)).split(/[^a-z0-9]+/gi)
      return this.parameters.use([place, name, ...words].filter(Boolean).join('-'), parameter)
    })
  }

  #bodyOf({ body, described, bodyKind }: DocumentedRoute): Json {
    if (bodyKind === 'upload') return { requestBody: bodyOf('application/octet-stream', aFile) }
    const schema = body ?? described?.body
    if (schema === undefined) return {}
    const part = bodyOf('application/json', this.#schemas.of(schema))
    const name = this.#schemas.nameOf(schema)
    return { requestBody: name === undefined ? part : this.bodies.use(name, part) }
  }

  #answersOf({ answers, caching }: DocumentedRoute): Json {
    const unchanged = {
      description: 'Unchanged since the answer that has the ETag of if-none-match. There is no body.',
    }
    const done = Object.entries(answers).map(([status, answer]) => [status, this.#answerOf(status, answer)])
    return Object.fromEntries([...done, ...(caching === 'never' ? [] : [['304', unchanged]])])
  }

  #answerOf(status: string, answer: DocumentedRoute['answers'][number]): unknown {
    if (status === '302')
      return { description: 'The page that shows the answer, for a browser whose address bar has led to the call.' }
    if (answer === null) return { description: 'Done. There is no body.' }
    if (answer instanceof FileAnswer) {
      const types = answer.mediaTypes.map((type) => type.split(';')[0] ?? type)
      const content = Object.fromEntries(types.map((type) => [type, { schema: aFile }]))
      return this.responses.use(['file', ...types].join('-').replaceAll('/', '.'), { description: 'Done.', content })
    }
    const part = { description: 'Done.', content: { 'application/json': { schema: this.#schemas.of(answer) } } }
    const name = this.#schemas.nameOf(answer)
    return name === undefined ? part : this.responses.use(name, part)
  }

  /** By status; `default` are those of every route, or of every route with a body. */
  #errorsOf(route: DocumentedRoute): Json {
    const codes = errorsOfRoute(route)
    const hasBody = errorsOfBodies.every((code) => codes.includes(code))
    const usual: readonly string[] = [...errorsEverywhere, ...(hasBody ? errorsOfBodies : [])]
    const errors = codes
      .filter((code) => !usual.includes(code))
      .flatMap((code) => {
        const error = this.#explain(code)
        return [error.status].flat().map((status) => ({ ...error, status }))
      })
    const answers = [...Map.groupBy(errors, ({ status }) => status)].map(([status, ofStatus]) => {
      const name = ofStatus.map(({ code }) => code).join('-')
      return [status, this.responses.use(name, errorAnswerOf(ofStatus))]
    })
    const name = hasBody ? 'errors-with-body' : 'errors'
    const others = this.responses.use(name, errorAnswerOf(usual.map((code) => this.#explain(code))))
    return { ...Object.fromEntries(answers), default: others }
  }

  #explain(code: string): ErrorCode {
    const found = this.#errors.get(code)
    if (found === undefined) throw new Error(`No list explains the error code ${code}.`)
    return found
  }
}

export function operationIdOf(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replaceAll(/[^a-z0-9]+(.|$)/gi, (_, next: string) => next.toUpperCase())}`
}

function securityOf(route: DocumentedRoute): Json {
  const keys = keysOf(route).map((header) => (header === 'authorization' ? 'bearer' : header))
  const needed = Object.fromEntries(keys.map((scheme) => [scheme, []]))
  // A public route knows who asks where they say it.
  const security = route.access === 'anyone' ? [needed, { ...needed, bearer: [] }] : [needed]
  return JSON.stringify(security) === JSON.stringify(usualSecurity) ? {} : { security }
}

const aFile = { type: 'string', format: 'binary' }

function bodyOf(mediaType: string, schema: Json): Json {
  return { required: true, content: { [mediaType]: { schema } } }
}

/** Parts of operations, such as parameters. Those that several operations have are components. */
class SharedParts {
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
