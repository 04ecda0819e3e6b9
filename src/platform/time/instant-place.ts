import { isUuid } from '../uuid.ts'
import { isDay } from './site-time.ts'

/** A place in a list by instant and id, newest first. The instant is a text: it has microseconds, as the database has. */
export interface InstantPlace {
  at: string
  id: string
}

export function writeInstantPlace({ at, id }: InstantPlace): string {
  return `${at}_${id}`
}

/** @returns undefined for what `writeInstantPlace` has not written */
export function readInstantPlace(text: string): InstantPlace | undefined {
  const [, at = '', id = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]{15}Z)_(.+)$/.exec(text) ?? []
  const isInstant = isDay(at.slice(0, 10)) && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/.test(at.slice(11))
  return isInstant && isUuid(id) ? { at, id } : undefined
}
