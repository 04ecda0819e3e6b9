import { Icon } from '../../../../ui/icon.tsx'
import { Menu } from '../../../../ui/menu.tsx'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { AnswerTemplates, answerTemplatesPage, answerTemplatesPath } from '../answer-template-schema.ts'
import './answers.css'

/**
 * A menu of templates that stands below a field; the chosen one follows what is written there.
 * @param label names the field, for screen readers
 * @param onInsert told the whole text of the field
 */
export function InsertTemplate({
  label,
  value,
  onInsert,
}: {
  label: string
  value: string
  onInsert: (text: string) => void
}) {
  const { data } = useAdminQuery(answerTemplatesPath, AnswerTemplates)
  const insert = (text: string) => (): void => onInsert(value.trim() === '' ? text : `${value.trimEnd()}\n\n${text}`)
  const templates = (data?.templates ?? []).map(({ name, text }) => ({ label: name, onSelect: insert(text) }))
  return (
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
  )
}
