import { useState } from 'react'
import { request, noAnswer, type Call } from '../../../../browser/api-client.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { DialogForm } from '../../../office/parts/dialog-form.tsx'
import { networkRefusal, type Refusal, refusalIn, textOf, useSubmission } from '../../../office/parts/use-submission.ts'
import type { CategoryForAdmin } from '../categories-schema.ts'

/** The open dialog of a category. */
export type CategoryTask = { kind: 'add' } | { kind: 'rename' | 'merge' | 'remove'; category: CategoryForAdmin }

export function CategoryDialog({
  task,
  categories,
  onDone,
  onClose,
}: {
  task: CategoryTask
  categories: readonly CategoryForAdmin[]
  /** @param sentence what was done */
  onDone: (sentence: string) => void
  onClose: () => void
}) {
  if (task.kind === 'add') return <NameDialog title="Add a category" onDone={onDone} onClose={onClose} />
  if (task.kind === 'rename')
    return <NameDialog title="Rename the category" category={task.category} onDone={onDone} onClose={onClose} />
  if (task.kind === 'merge')
    return <MergeDialog category={task.category} categories={categories} onDone={onDone} onClose={onClose} />
  const { id, name } = task.category
  return (
    <ConfirmDialog
      title="Remove the category?"
      label="Remove"
      labelWhileSending="Removing..."
      isGrave
      otherwise="The category could not be removed."
      act={async () => {
        await request(`/api/categories/${id}`, noAnswer, { method: 'DELETE' })
        onDone(`The category '${name}' is removed.`)
      }}
      onClose={onClose}
    >
      <p>
        <bdi>{name}</bdi> has no entries. It goes from all lists to choose from.
      </p>
    </ConfirmDialog>
  )
}

/** Makes the call; a refusal goes beside its field. */
async function send(path: string, call: Call): Promise<Refusal | undefined> {
  try {
    await request(path, noAnswer, call)
    return undefined
  } catch (error) {
    const refusal = refusalIn(error, 'The category could not be changed.')
    recheckAccess(error as Parameters<typeof recheckAccess>[0])
    return refusal
  }
}

function NameDialog({
  title,
  category,
  onDone,
  onClose,
}: {
  title: string
  category?: CategoryForAdmin
  onDone: (sentence: string) => void
  onClose: () => void
}) {
  const [isDirty, setIsDirty] = useState(false)
  const submission = useSubmission({
    check: (values) =>
      textOf(values, 'name').trim() === '' ? { message: 'Please enter a name.', field: 'name' } : undefined,
    async send(values) {
      const name = textOf(values, 'name').trim()
      const refusal = await send(category === undefined ? '/api/categories' : `/api/categories/${category.id}`, {
        method: category === undefined ? 'POST' : 'PUT',
        body: { name },
      })
      if (refusal === undefined)
        onDone(category === undefined ? `The category '${name}' is added.` : `'${category.name}' is now '${name}'.`)
      return refusal
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title={title} isBusy={submission.isSending} isDirty={isDirty} onClose={onClose}>
      <DialogForm
        submission={submission}
        label={category === undefined ? 'Add' : 'Rename'}
        labelWhileSending="Saving..."
        done={undefined}
        onInput={() => setIsDirty(true)}
        onCancel={onClose}
      >
        <TextField
          name="name"
          label="Name"
          maxLength={60}
          autoComplete="off"
          defaultValue={category?.name ?? ''}
          problem={submission.errorOf('name')}
          help={category === undefined ? undefined : 'Its entries take the new name in every list.'}
        />
      </DialogForm>
    </Dialog>
  )
}

function MergeDialog({
  category,
  categories,
  onDone,
  onClose,
}: {
  category: CategoryForAdmin
  categories: readonly CategoryForAdmin[]
  onDone: (sentence: string) => void
  onClose: () => void
}) {
  const others = categories.filter(({ id, merging }) => id !== category.id && merging === null)
  const submission = useSubmission({
    check: (values) =>
      textOf(values, 'into') === '' ? { message: 'Please choose the category to merge it into.' } : undefined,
    async send(values) {
      const into = Number(textOf(values, 'into'))
      const refusal = await send(`/api/categories/${category.id}/merge`, { method: 'POST', body: { into } })
      const name = others.find(({ id }) => id === into)?.name ?? ''
      if (refusal === undefined) onDone(`'${category.name}' is being merged into '${name}'.`)
      return refusal === undefined ? undefined : { ...refusal, field: undefined }
    },
    unreachable: networkRefusal,
  })
  return (
    <Dialog title="Merge the category" isBusy={submission.isSending} onClose={onClose}>
      <DialogForm
        submission={submission}
        label="Merge"
        labelWhileSending="Merging..."
        isGrave
        done={undefined}
        onCancel={onClose}
      >
        <p>
          {`${category.items === 1 ? 'The one entry' : `All ${category.items.toLocaleString('en-US')} entries`} of `}
          <bdi>{category.name}</bdi> move to another category, each cleared anew. Then <bdi>{category.name}</bdi> is
          removed. This cannot be undone.
        </p>
        <SelectField
          name="into"
          label="Merge into"
          options={[
            { value: '', label: 'Choose a category' },
            ...others.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      </DialogForm>
    </Dialog>
  )
}
