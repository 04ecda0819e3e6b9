import type { Reason } from '../../content/content-schema.ts'

/** Everything that is wrong with a field, each with its remedy; undefined where nothing is. */
export function problemOf(reasons: readonly Reason[], field: string): string | undefined {
  const sentences = reasons
    .filter((reason) => reason.field === field)
    .map(({ sentence, remedy }) => `${sentence} ${remedy}`.trim())
  return sentences.length === 0 ? undefined : [...new Set(sentences)].join(' ')
}

/** The reasons that no field shows. */
export function restOfReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ field }) => field === '' || field === 'status' || field === 'slug' || field.endsWith('.id'))
}
