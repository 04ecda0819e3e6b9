import { request } from '../../../../browser/api-client.ts'
import { changeAnswer } from '../../../../browser/queries.ts'
import { Form } from '../../../../ui/form/form.tsx'
import { TextArea } from '../../../../ui/text-field.tsx'
import { useStoredForm } from '../../../office/browser/stored-form.ts'
import { OvertakenNotice } from '../../../office/parts/overtaken-notice.tsx'
import { ProhibitedNames } from '../prohibited-names-schema.ts'
import { addedTo, linesIn, nameLists, namesPath, savedByOthers, termsOf } from './names-words.ts'

/**
 * The lists. Typed terms stay when a save fails. When somebody else has saved meanwhile, the form tells their terms, and
 * the next save replaces them.
 */
export function NamesForm({
  names,
  readAgain,
}: {
  names: ProhibitedNames
  /** @throws {ApiError} */
  readAgain: () => Promise<ProhibitedNames>
}) {
  const form = useStoredForm({
    stored: names,
    valuesOf: (stored) => ({
      refused: addedTo('refused', stored),
      minority: addedTo('minority', stored),
      sexual: addedTo('sexual', stored),
    }),
    async save({ refused, minority, sexual }, version) {
      const pairs = { minority: linesIn(minority), sexual: linesIn(sexual) }
      const body = { refused: linesIn(refused), pairs, version }
      const saved = await request(namesPath, ProhibitedNames, { method: 'PUT', body })
      changeAnswer(namesPath, () => saved)
      return saved
    },
    readAgain,
    otherwise: 'An error occurred. Please try again.',
    fieldOf: (field) => nameLists.find(({ list }) => field.split('.').includes(list))?.list,
  })
  const { conflict } = form
  return (
    <Form
      form={form}
      act={{
        label: 'Save',
        labelWhileSending: 'Saving...',
        done: form.isSaved ? 'Saved, and in force.' : undefined,
      }}
      className="names-form"
      guardsLeaving
      aria-label="Prohibited names"
      notes={
        conflict === undefined ? null : (
          <OvertakenNotice
            sentence="Somebody else has saved in the meantime. Your terms are still here; save again to replace theirs."
            ifSame="They added no terms of their own."
            lines={savedByOthers(conflict.theirs)}
          />
        )
      }
    >
      {nameLists.map(({ list, label, help }) => (
        <section key={list} className="names-list">
          <TextArea {...form.field(list)} label={label} help={help} rows={5} spellCheck={false} autoCapitalize="none" />
          <BuiltIn terms={termsOf(list, names.builtIn)} />
        </section>
      ))}
    </Form>
  )
}

function BuiltIn({ terms }: { terms: readonly string[] }) {
  return (
    <details className="names-built-in">
      <summary>{`${terms.length} built in`}</summary>
      <p>{terms.join(', ')}</p>
    </details>
  )
}
