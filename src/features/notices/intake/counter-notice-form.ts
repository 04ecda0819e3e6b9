import { readReference } from '../notice/reference.ts'
import { emptyFieldsIn, type Fault, faultsIn, type Typed } from './typed-notice.ts'
import { type NoticeFieldName, fieldsOf, type FormField, type FormPart } from './notice-forms.ts'

/** The form of a counter-notice: what 17 U.S.C. 512(g)(3) asks, all of it. Browser-safe. */

/** The same words as in the form of a copyright notice. */
function asked(name: NoticeFieldName, changes: Partial<FormField> = {}): FormField {
  const field = fieldsOf('copyright').find((each) => each.name === name)
  if (field === undefined) throw new Error(`The form of a copyright notice does not ask for ${name}.`)
  return { ...field, ...changes }
}

function needed(name: NoticeFieldName, ask: string, changes: Partial<FormField>): FormField {
  const { alternatives: _none, help: _other, ...field } = asked(name)
  return { ...field, isRequired: true, ask, ...changes }
}

export const counterNoticeParts: readonly FormPart[] = [
  {
    title: 'What was removed',
    fields: [
      {
        name: 'reference',
        kind: 'line',
        label: 'The reference of the notice',
        help: 'It looks like N-0000-0000. You find it on the page of the removed entry and in our email.',
        isRequired: true,
        ask: 'Enter the reference of the notice, such as N-0000-0000.',
        autoComplete: 'off',
      },
      asked('itemUrls', { label: 'Address of the removed entry', help: 'If there are several, one per line.' }),
      {
        name: 'explanation',
        kind: 'text',
        label: 'Why the removal was a mistake',
        help: 'For example: you have a licence, or the notice confused it with another work.',
        isRequired: true,
        ask: 'Write why the removal was a mistake.',
      },
    ],
  },
  {
    title: 'How we reach you',
    // Here the law asks for all of them.
    fields: [
      asked('name'),
      needed('address', 'Enter your postal address.', {}),
      needed('phone', 'Enter your telephone number.', {}),
      needed('email', 'Enter an email address where we can reach you.', { help: 'We send our answer there.' }),
    ],
  },
  {
    title: 'What you declare',
    fields: [
      asked('perjury', {
        label:
          'Under penalty of perjury: I believe in good faith that the entry was removed as a result of mistake or misidentification.',
      }),
      {
        name: 'jurisdiction',
        kind: 'tick',
        label:
          'I consent to the jurisdiction of the federal district court for the district of my address, or, if I live outside the United States, for any district in which the operator of this site may be found. I will accept service of process from the person who sent the notice or their agent.',
        isRequired: true,
        ask: 'Check this box if you agree.',
      },
      asked('signature'),
    ],
  },
]

export const counterNoticeFields: readonly FormField[] = counterNoticeParts.flatMap(({ fields }) => fields)
export const counterNoticeNames = counterNoticeFields.map(({ name }) => name)

/** Everything that is wrong with a counter-notice: without any one of its elements it has no effect. */
export function faultsOfCounterNotice(typed: Typed): Fault[] {
  const faults = [...faultsIn(typed), ...emptyFieldsIn(counterNoticeFields, typed)]
  const reference = typed.reference ?? ''
  if (reference.trim() !== '' && readReference(reference) === undefined)
    faults.push({ field: 'reference', message: 'Check the reference. It looks like N-0000-0000.' })
  return counterNoticeFields.flatMap(({ name }) => faults.find(({ field }) => field === name) ?? [])
}
