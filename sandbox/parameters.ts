import { StripeRefusal } from './stripe-refusal.ts'

/** Parameters as Stripe nests them: `a[b]=1`, `a[0][b]=1`, `a[]=1`. Arrays are objects with numbers for keys. */
export interface Parameters {
  [name: string]: string | Parameters
}

/** Reads a query or a form body. Throws a refusal when a name is malformed or names a thing twice in two shapes. */
export function readParameters(encoded: string): Parameters {
  const result = Object.create(null) as Parameters
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [head = '', ...rest] = name.split('[')
    if (rest.some((part) => !part.endsWith(']'))) throw new StripeRefusal(400, `Invalid parameter name: ${name}`)
    const path = [head, ...rest.map((part) => part.slice(0, -1))]
    let place = result
    for (const [depth, step] of path.entries()) {
      const key = step === '' ? String(Object.keys(place).length) : step
      if (depth === path.length - 1) {
        place[key] = value
        break
      }
      const inner = (place[key] ??= Object.create(null) as Parameters)
      if (typeof inner === 'string') throw new StripeRefusal(400, `Invalid object: ${name}`, { param: head })
      place = inner
    }
  }
  return result
}

/** The parameters of one call, read by name and refused in Stripe's words. */
export class RequestedParameters {
  readonly #all: Parameters

  constructor(all: Parameters, known: readonly string[]) {
    this.#all = all
    for (const name of Object.keys(all))
      if (name !== 'expand' && !known.includes(name))
        throw new StripeRefusal(400, `Received unknown parameter: ${name}`, { code: 'parameter_unknown', param: name })
  }

  /** A string; undefined when it is absent or empty, which is how Stripe is told "none". */
  text(name: string): string | undefined {
    const value = this.#all[name]
    if (value === undefined || value === '') return undefined
    if (typeof value !== 'string') throw new StripeRefusal(400, 'Invalid string', { param: name })
    return value
  }

  required(name: string): string {
    const value = this.text(name)
    if (value === undefined) throw missing(name)
    return value
  }

  wholeNumber(name: string): number | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : wholeNumber(value, name)
  }

  metadata(name = 'metadata'): Record<string, string> {
    return metadataOf(this.#all[name], name)
  }

  inner(name: string): Parameters {
    const value = this.#all[name]
    if (value === undefined || value === '') return {}
    if (typeof value === 'string') throw new StripeRefusal(400, 'Invalid object', { param: name })
    return value
  }

  /** The values of an array, in order. */
  values(name: string): (string | Parameters)[] {
    const value = this.#all[name]
    if (value === undefined || value === '') return []
    if (typeof value === 'string') throw new StripeRefusal(400, 'Invalid array', { param: name })
    return Object.values(value)
  }

  texts(name: string): string[] {
    return this.values(name).filter((value) => typeof value === 'string')
  }

  /** Whether a time in seconds lies within `name`: a number, or an object of gt, gte, lt and lte. */
  within(name: string): (seconds: number) => boolean {
    const range = this.#all[name]
    if (range === undefined || range === '') return () => true
    if (typeof range === 'string') {
      const exact = wholeNumber(range, name)
      return (seconds) => seconds === exact
    }
    const bound = (key: string, otherwise: number) => {
      const value = range[key]
      return typeof value === 'string' ? wholeNumber(value, `${name}[${key}]`) : otherwise
    }
    const after = Math.max(bound('gt', -Infinity), bound('gte', -Infinity) - 1)
    const before = Math.min(bound('lt', Infinity), bound('lte', Infinity) + 1)
    return (seconds) => seconds > after && seconds < before
  }
}

export function missing(name: string): StripeRefusal {
  return new StripeRefusal(400, `Missing required param: ${name}.`, { code: 'parameter_missing', param: name })
}

export function wholeNumber(value: string, name: string): number {
  if (!/^-?\d{1,15}$/.test(value))
    throw new StripeRefusal(400, `Invalid integer: ${value}`, { code: 'parameter_invalid_integer', param: name })
  return Number(value)
}

/** Stripe's limits: 50 keys, names of 40 characters, values of 500. An empty value is no value. */
export function metadataOf(value: string | Parameters | undefined, name: string): Record<string, string> {
  if (value === undefined || value === '') return {}
  if (typeof value === 'string') throw new StripeRefusal(400, 'Invalid object', { param: name })
  const metadata: Record<string, string> = {}
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string' || key.length > 40 || text.length > 500)
      throw new StripeRefusal(400, 'Metadata keys have at most 40 characters and values at most 500.', { param: name })
    if (text !== '') metadata[key] = text
  }
  if (Object.keys(metadata).length > 50) throw new StripeRefusal(400, 'Metadata has at most 50 keys.', { param: name })
  return metadata
}
