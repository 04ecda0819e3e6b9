import type { Reason } from '../../content/content-schema.ts'

/** Everything that is wrong with a field, each with its remedy; undefined where nothing is. */
export function problemOf(reasons: readonly Reason[], field: string): string | undefined {
  const sentences = reasons
    .filter((reason) => reason.field === field)
    .map(({ sentence, remedy }) => `${aboutIt(sentence, field)} ${remedy}`.trim())
  return sentences.length === 0 ? undefined : [...new Set(sentences)].join(' ')
}

/** Beside its field a sentence need not call it by the name that programs use. */
function aboutIt(sentence: string, field: string): string {
  const name = [field, field.split('.').at(-1) ?? ''].find((one) => one !== '' && sentence.startsWith(`${one} `))
  return name === undefined ? sentence : `It${sentence.slice(name.length)}`
}

/** The reasons that no field shows. */
export function restOfReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ field }) => field === '' || field === 'status' || field === 'slug' || field.endsWith('.id'))
}
