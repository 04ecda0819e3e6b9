import type { FormState } from '../../../../ui/form/use-form.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { TextArea } from '../../../../ui/text-field.tsx'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { AnswerTemplates, answerTemplatesPage, answerTemplatesPath } from '../answer-template-schema.ts'
import './answers.css'

/** A field for a long text, and below it the templates: a chosen one follows what is written there. */
export function AnswerArea<Values extends Record<string, unknown>>({
  form,
  name,
  label,
  help,
}: {
  form: FormState<Values>
  name: Parameters<FormState<Values>['field']>[0]
  label: string
  help?: string
}) {
  const { data } = useAdminQuery(answerTemplatesPath, AnswerTemplates)
  const value = String(form.values[name])
  const insert = (text: string) => (): void =>
    form.set(
      name,
      (value.trim() === '' ? text : `${value.trimEnd()}\n\n${text}`) as Parameters<FormState<Values>['set']>[1],
    )
  const templates = (data?.templates ?? []).map((template) => ({
    label: template.name,
    onSelect: insert(template.text),
  }))
  return (
    <>
      <TextArea {...form.field(name)} label={label} help={help} dir="auto" />
      <Menu
        isFloating
        className="insert-template"
        button={
          <>
            Insert a template<span className="sr-only">{`: ${label}`}</span>
            <Icon name="down" size={16} />
          </>
        }
        groups={[
          ...(templates.length === 0 ? [] : [{ items: templates }]),
          { items: [{ label: 'Edit templates', outsideUrl: answerTemplatesPage }] },
        ]}
      />
    </>
  )
}
