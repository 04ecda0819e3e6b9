import { z } from 'zod'
import type { ErrorCode } from './error-code.ts'
import type { Json } from './schema-components.ts'

/** The body of every error. Some codes add members (`ErrorCode`). */
export const ErrorAnswer = z.looseObject({
  error: z.string().meta({ description: 'The same as message.' }),
  message: z.string().meta({ description: 'One sentence for people: what is wrong and what to do.' }),
  code: z.string().meta({ description: 'For programs; it stays the same.' }),
  field: z.string().optional().meta({ description: 'The parameter, header or field that is at fault.' }),
  outcome: z.string().optional().meta({ description: 'unknown: the database went away, and it may have been done.' }),
})

const schema = { $ref: '#/components/schemas/Error' }

/** One answer for some errors, described by them and by the members that some of them add. */
export function errorAnswerOf(errors: readonly ErrorCode[]): Json {
  return { description: errors.map(inMarkdown).join('\n\n'), content: { 'application/json': { schema } } }
}

function inMarkdown({ code, sentences, remedy, members = {} }: ErrorCode): string {
  const added = Object.entries(members).map(([name, what]) => ` \`${name}\`: ${what}`)
  return `**${code}**: ${sentences.map((sentence) => `'${sentence}'`).join(' ')} ${remedy}${added.join('')}`
}

export function codesIn(description: string): string[] {
  return [...description.matchAll(/^\*\*(.+?)\*\*: /gm)].map(([, code = '']) => code)
}
