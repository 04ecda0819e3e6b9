import { emptyValues, type FormValues } from './form-values.ts'

export interface SavedForm {
  base: FormValues
  /** The version of the item that it began with; 0 for a new one. */
  version: number
  values?: FormValues
}

/** Undefined if another version of the site saved it. */
export function readSavedForm(content: unknown): (SavedForm & { values: FormValues }) | undefined {
  if (typeof content !== 'object' || content === null) return undefined
  const { base, version, values } = content as Record<string, unknown>
  return isFormValues(base) && isFormValues(values) && typeof version === 'number'
    ? { base, version, values }
    : undefined
}

function isFormValues(content: unknown): content is FormValues {
  if (typeof content !== 'object' || content === null) return false
  const given = content as Record<string, unknown>
  return Object.entries(emptyValues('western')).every(([name, value]) =>
    Array.isArray(value) ? Array.isArray(given[name]) : typeof given[name] === typeof value,
  )
}
