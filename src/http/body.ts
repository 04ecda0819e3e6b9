import type { IncomingMessage } from 'node:http'
import { type AppError, defineError } from '../platform/errors.ts'
import { type BodyKind, defaultMaxBodyBytes } from './route.ts'

/** Whether a request comes with a body, as its headers say. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request that may have one. The size is watched while it arrives.
 * @returns the body as it came; empty where there is none
 * @throws {AppError} `body.too_large`, 413
 */
export async function readBody(request: IncomingMessage, maxBytes = defaultMaxBodyBytes): Promise<Buffer> {
  if (request.method === 'GET' || request.method === 'HEAD') return Buffer.alloc(0)
  refuseLongBody(request, maxBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  // The stream goes with its socket: it must live on for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws {AppError} `body.too_large`, 413, where the headers say already that the body is larger than it may be */
export function refuseLongBody({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

const mebibyte = 1024 * 1024

export function tooLarge(maxBytes: number): AppError {
  const limit = maxBytes < mebibyte ? `${maxBytes / 1024} KiB` : `${maxBytes / mebibyte} MiB`
  return bodyTooLarge(limit)
}

export function isFormType(contentType: string | undefined): boolean {
  return typeOf(contentType) === formType
}

function typeOf(contentType: string | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase()
}

/**
 * The members of a JSON body, read as its route declares. Empty for an empty body, and for one that the route takes as
 * it is.
 * @throws {AppError} `body.type`, 415, `body.json`, 400
 */
export function parseBody(
  rawBody: Buffer,
  contentType: string | undefined,
  kind: BodyKind = 'json',
): Record<string, unknown> {
  if (rawBody.length === 0 || kind !== 'json') return {}
  refuseOtherType(contentType, 'json')
  const body = parseJson(rawBody)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw notJson()
  }
  return body as Record<string, unknown>
}

/** How browsers send a form without files. */
export const formType = 'application/x-www-form-urlencoded'

/** @throws {AppError} `body.type`, 415, where the header says that the body is something else */
export function refuseOtherType(contentType: string | undefined, kind: 'json' | 'form'): void {
  const [name, type] = kind === 'json' ? ['JSON', 'application/json'] : ['a form', formType]
  if (typeOf(contentType) === type) return
  throw otherBodyType(name, type)
}

function parseJson(rawBody: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody))
  } catch {
    return undefined
  }
}

const bodyTooLarge = defineError({
  code: 'body.too_large',
  status: 413,
  sentence: (limit: string) => `The request is larger than ${limit}. Send less at once.`,
  remedy: 'Keep below the limit that the sentence and the description of the route name.',
})

const notJson = defineError({
  code: 'body.json',
  status: 400,
  sentence: 'The body of the request is not a JSON object.',
  remedy: 'Send a JSON object in UTF-8.',
})

const otherBodyType = defineError({
  code: 'body.type',
  status: 415,
  sentence: (name: string, type: string) => `Send ${name}, with the header content-type: ${type}.`,
  remedy: 'Send the body and the header content-type that the sentence names.',
})
