import * as z from 'zod/mini'
import { type FieldName, fields, lineOf, type PathOf, pathOf } from './fields.ts'

type Answers<Name extends FieldName> = { [Each in Name as OwnName<Each>]: (typeof fields)[Each]['kind']['answer'] } & {
  [Each in Name as TypedName<Each>]: z.ZodMiniOptional<z.ZodMiniString>
}

/** `yearText` of `year`: the member with the text as it was typed, beside an answer that says less. */
export type TypedName<Name extends FieldName> = (typeof fields)[Name]['kind'] extends { typedOf: unknown }
  ? `${OwnName<Name>}Text`
  : never

/** The same; undefined of a field whose answer says all. */
export function typedNameOf(name: FieldName): string | undefined {
  return lineOf(name).kind.typedOf === undefined ? undefined : `${ownNameOf(name)}Text`
}

/** `basis` of `rights.basis`. */
export type OwnName<Name extends FieldName> = PathOf<Name> extends `rights.${infer Own}` ? Own : PathOf<Name>

export function ownNameOf<Name extends FieldName>(name: Name): OwnName<Name> {
  return pathOf(name).replace('rights.', '') as OwnName<Name>
}

export function answersOf<Name extends FieldName>(names: readonly Name[]): Answers<Name> {
  const members = names.flatMap((name): [string, z.ZodMiniType][] => {
    const typed = typedNameOf(name)
    return [
      [ownNameOf(name), fields[name].kind.answer],
      ...(typed === undefined ? [] : [[typed, z.optional(z.string())] satisfies [string, z.ZodMiniType]]),
    ]
  })
  return Object.fromEntries(members) as never
}

/** Gives the same fields of an item as they are answered; days are those of `timeZone`. */
export function answererOf<Name extends FieldName>(
  names: readonly Name[],
  timeZone: string,
): (item: Readonly<Record<Name, unknown>>) => z.output<z.ZodMiniObject<Answers<Name>>> {
  const lines = names.map((name) => ({ name, ownName: ownNameOf(name), kind: lineOf(name).kind }))
  return (item) => {
    const answers: Record<string, unknown> = {}
    for (const { name, ownName, kind } of lines) {
      const answer = kind.answerOf(item[name], timeZone)
      // A field that is not set has no member.
      if (answer !== undefined) answers[ownName] = answer
      const typed = kind.typedOf?.(item[name])
      if (typed !== undefined) answers[`${ownName}Text`] = typed
    }
    return answers as never
  }
}
