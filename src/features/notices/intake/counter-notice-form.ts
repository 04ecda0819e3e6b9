import { readReference } from '../notice/reference.ts'
import { emptyFieldsIn, type Fault, faultsIn, type Typed } from './typed-notice.ts'
import { type FieldName, fieldsOf, type FormField, type FormPart } from './notice-forms.ts'

/** The form of a counter-notice: what 17 U.S.C. 512(g)(3) asks, all of it. Browser-safe. */

/** As the form of a copyright notice asks for it. */
function asked(name: FieldName, changes: Partial<FormField> = {}): FormField {
  const field = fieldsOf('copyright').find((each) => each.name === name)
  if (field === undefined) throw new Error(`The form of a copyright notice does not ask for ${name}.`)
  return { ...field, ...changes }
}

export const counterNoticeParts: readonly FormPart[] = [
  {
    title: 'What was removed',
    fields: [
      {
        name: 'reference',
        kind: 'line',
        label: 'The reference of the notice',
        help: 'N-XXXX-XXXX: it stands on the page of what was removed, and in our email.',
        isRequired: true,
        ask: 'Give the reference of the notice, such as N-0000-0000.',
        autoComplete: 'off',
      },
      asked('itemUrls', { label: 'The address at which it stood', help: 'Of several entries one on each line.' }),
      {
        name: 'explanation',
        kind: 'text',
        label: 'Why it was removed by mistake',
        help: 'What was mistaken or taken for something else.',
        isRequired: true,
        ask: 'Say why it was removed by mistake.',
      },
    ],
  },
  {
    title: 'How you are reached',
    fields: [
      asked('name'),
      asked('address'),
      asked('phone'),
      asked('email', { help: 'We tell you there how it goes.' }),
    ],
  },
  {
    title: 'What you declare',
    fields: [
      asked('perjury', {
        label:
          'Under penalty of perjury: I believe in good faith that it was removed as a result of mistake or misidentification.',
      }),
      {
        name: 'jurisdiction',
        kind: 'tick',
        label:
          'I consent to the jurisdiction of the federal district court for the district of my address, or, outside the United States, of any district in which the operator may be found, and I will accept service of process from whoever sent the notice or an agent of theirs.',
        isRequired: true,
        ask: 'Tick this statement if you agree.',
      },
      asked('signature'),
    ],
  },
]

export const counterNoticeFields: readonly FormField[] = counterNoticeParts.flatMap(({ fields }) => fields)

/** Everything that is wrong with a counter-notice: without any one of its elements it has no effect. */
export function faultsOfCounterNotice(typed: Typed): Fault[] {
  const faults = [...faultsIn(typed), ...emptyFieldsIn(counterNoticeFields, typed)]
  const reference = typed.reference ?? ''
  if (reference.trim() !== '' && readReference(reference) === undefined)
    faults.push({ field: 'reference', message: 'A reference looks like N-0000-0000.' })
  return counterNoticeFields.flatMap(({ name }) => faults.find(({ field }) => field === name) ?? [])
}
