import * as z from 'zod/mini'
import { request } from '../../../../browser/api-client.ts'
import { changeAnswer, refetchAnswersUnder } from '../../../../browser/queries.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextArea, TextField } from '../../../../ui/text-field.tsx'
import { useApiForm } from '../../browser/api-form.ts'
import { writtenText } from '../../browser/form-rules.ts'
import {
  AnswerTemplate,
  type AnswerTemplates,
  answerTemplatesPath,
  maxTemplateName,
  maxTemplateText,
} from '../answer-template-schema.ts'

const Template = z.object({
  name: writtenText('Write a name.', maxTemplateName),
  text: writtenText('Write the text.', maxTemplateText),
})

/** A new template, or the change of one. A change that somebody was first with leaves what was typed. */
export function TemplateDialog({
  template,
  onDone,
  onClose,
}: {
  /** Undefined for a new one. */
  template: AnswerTemplate | undefined
  onDone: (sentence: string) => void
  onClose: () => void
}) {
  const form = useApiForm({
    defaults: { name: template?.name ?? '', text: template?.text ?? '' },
    schema: Template,
    async send(typed) {
      const saved = await (template === undefined
        ? request(answerTemplatesPath, AnswerTemplate, { method: 'POST', body: typed })
        : request(`${answerTemplatesPath}/${template.id}`, AnswerTemplate, {
            method: 'PUT',
            body: { ...typed, version: template.version },
          }))
      changeAnswer<AnswerTemplates>(answerTemplatesPath, ({ templates, ...rest }) => ({
        ...rest,
        templates: templates.map((one) => (one.id === saved.id ? saved : one)),
      }))
      refetchAnswersUnder(answerTemplatesPath)
      onDone('The template was saved.')
    },
    otherwise: 'The template could not be saved.',
    onRefused({ status }) {
      if (status === 409 || status === 404) refetchAnswersUnder(answerTemplatesPath)
    },
  })
  return (
    <ActDialog
      title={template === undefined ? 'New template' : 'Edit template'}
      form={form}
      label="Save template"
      labelWhileSending="Saving..."
      onClose={onClose}
    >
      <TextField {...form.field('name')} label="Name" help="You choose it by this name." autoComplete="off" />
      <TextArea
        {...form.field('text')}
        label="Text"
        help="It is inserted as written here. Adapt it to each case before you send it."
        rows={8}
        dir="auto"
      />
    </ActDialog>
  )
}
