import type { Reason } from '../content-schema.ts'
import { basisNames, peopleNames, typeNames } from '../../item/field-lines.ts'

/** Everything that is wrong with a field, each with its remedy; undefined where nothing is. */
export function problemOf(reasons: readonly Reason[], field: string): string | undefined {
  const sentences = reasons
    .filter((reason) => reason.field === field)
    .map(inWordsOfForm)
    .map(({ sentence, remedy }) => `${aboutIt(sentence, field)} ${remedy}`.trim())
  return sentences.length === 0 ? undefined : [...new Set(sentences)].join(' ')
}

/** Beside its field a sentence need not call it by the name that programs use. */
function aboutIt(sentence: string, field: string): string {
  const name = [field, field.split('.').at(-1) ?? ''].find((one) => one !== '' && sentence.startsWith(`${one} `))
  return name === undefined ? sentence : `It${sentence.slice(name.length)}`
}

export function restOfReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ field }) => field === '' || field === 'status' || field === 'slug' || field.endsWith('.id'))
}

const choiceNames: Readonly<Record<string, string>> = { ...basisNames, ...peopleNames }
const typeWords: Readonly<Record<string, string>> = typeNames

/** The server's code for a field that every item needs. */
export const missingField = 'field.missing'

/** A reason with the choices as the form calls them: the interface and the files of imports have words of their own. */
export function inWordsOfForm(reason: Reason): Reason {
  if (reason.code === missingField) return { ...reason, sentence: 'This field is required.', remedy: '' }
  if (reason.code === 'people.unknown') {
    const [last, ...others] = Object.values(peopleNames)
      .map((name) => `'${name}'`)
      .toReversed()
    return { ...reason, remedy: `Choose ${others.toReversed().join(', ')} or ${last ?? ''} under People.` }
  }
  const plain = reason.sentence.replace(
    /content type '([a-z-]+)'/g,
    (_quoted, type: string) => `type '${typeWords[type] ?? type}'`,
  )
  const remedy = reason.remedy.replaceAll('content type', 'type')
  if (!reason.field.startsWith('rights.') && reason.field !== 'people') return { ...reason, sentence: plain, remedy }
  const sentence = plain.replace(/'([a-z_]+)'/g, (quoted, word: string) =>
    Object.hasOwn(choiceNames, word) ? `'${choiceNames[word]}'` : quoted,
  )
  return { ...reason, sentence, remedy }
}
