import { useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { guardedMeta, type TitledPage } from '../../../../browser/page-title.ts'
import { refetchAnswersUnder } from '../../../../browser/queries.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { ListBody } from '../../../../ui/list-page/list-page.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkPage } from '../../../../ui/work-page.tsx'
import { useAdminQuery } from '../../browser/admin-query.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type AnswerTemplate, AnswerTemplates, answerTemplatesPath } from '../answer-template-schema.ts'
import { TemplateDialog } from '../parts/template-dialog.tsx'
import '../parts/answers.css'

export const handle = { title: 'Answer templates' } satisfies TitledPage

export const meta = guardedMeta

type Asked = { act: 'add' } | { act: 'edit' | 'delete'; template: AnswerTemplate }

export default function AnswerTemplatesRoute() {
  const { data, error, isFetching, refetch } = useAdminQuery(answerTemplatesPath, AnswerTemplates)
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<string>()
  const templates = data?.templates ?? []
  const close = (sentence?: string): void => {
    setAsked(undefined)
    setDone(sentence)
  }
  const add = (
    <Button look="solid" label="New template" aria-haspopup="dialog" onClick={() => setAsked({ act: 'add' })} />
  )
  return (
    <WorkPage
      title="Answer templates"
      lead="Texts to start answers and decisions from. All administrators share them; ‘Insert a template’ is below each field."
      actions={templates.length === 0 ? undefined : add}
    >
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      <ListBody
        answer={{ isHere: data !== undefined, error, isFetching, onRetry: refetch }}
        failure="The templates could not be loaded"
        shown={templates.length}
        empty="No templates yet. Write one for what you answer most often."
        step={add}
      >
        <DataTable label="Templates" heads={['Name', 'Text', 'Changed', 'Actions']} isBusy={isFetching}>
          {templates.map((template) => (
            <tr key={template.id}>
              <td dir="auto">{template.name}</td>
              <td>
                <span className="answer-text" dir="auto">
                  {template.text}
                </span>
              </td>
              <td>{dayInWords(template.changedAt)}</td>
              <td>
                <span className="data-actions">
                  {(['edit', 'delete'] as const).map((act) => (
                    <Button
                      key={act}
                      label={act === 'edit' ? 'Edit' : 'Delete'}
                      about={`: ${template.name}`}
                      aria-haspopup="dialog"
                      onClick={() => setAsked({ act, template })}
                    />
                  ))}
                </span>
              </td>
            </tr>
          ))}
        </DataTable>
      </ListBody>
      {asked === undefined ? null : asked.act === 'delete' ? (
        <DeleteDialog template={asked.template} onDone={close} onClose={() => close()} />
      ) : (
        <TemplateDialog
          template={asked.act === 'add' ? undefined : asked.template}
          onDone={close}
          onClose={() => close()}
        />
      )}
    </WorkPage>
  )
}

function DeleteDialog({
  template: { id, name, version },
  onDone,
  onClose,
}: {
  template: AnswerTemplate
  onDone: (sentence: string) => void
  onClose: () => void
}) {
  return (
    <ConfirmDialog
      title="Delete this template?"
      label="Delete"
      labelWhileSending="Deleting..."
      isGrave
      otherwise="The template could not be deleted."
      act={async () => {
        try {
          await request(`${answerTemplatesPath}/${id}/delete`, noAnswer, { method: 'POST', body: { version } })
        } finally {
          refetchAnswersUnder(answerTemplatesPath)
        }
        onDone('The template was deleted.')
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{name}</bdi> is gone for all administrators. Answers that began with it stay as they are.
      </p>
    </ConfirmDialog>
  )
}
