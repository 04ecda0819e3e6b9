import * as z from 'zod/mini'
import { noAnswer, request } from '../../../../browser/api-client.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import type { CategoryForAdmin } from '../categories-schema.ts'

export type CategoryTask = { kind: 'add' } | { kind: 'rename' | 'merge' | 'remove'; category: CategoryForAdmin }

interface Ends {
  /** @param sentence what was done */
  onDone: (sentence: string) => void
  onClose: () => void
}

export function CategoryDialog({
  task,
  categories,
  ...ends
}: Ends & { task: CategoryTask; categories: readonly CategoryForAdmin[] }) {
  if (task.kind === 'add') return <NameDialog title="Add a category" {...ends} />
  if (task.kind === 'rename') return <NameDialog title="Rename the category" category={task.category} {...ends} />
  if (task.kind === 'merge') return <MergeDialog category={task.category} categories={categories} {...ends} />
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
        ends.onDone(`The category '${name}' is removed.`)
      }}
      onClose={ends.onClose}
    >
      <p>
        <bdi>{name}</bdi> has no entries. It is no longer offered anywhere.
      </p>
    </ConfirmDialog>
  )
}

const otherwise = 'The category could not be changed.'
const Name = z.object({ name: writtenText('Please enter a name.') })
const Merge = z.object({
  into: z.pipe(
    z.string().check(z.minLength(1, 'Please choose the category to merge it into.')),
    z.transform((id) => Number(id)),
  ),
})

function NameDialog({ title, category, onDone, onClose }: Ends & { title: string; category?: CategoryForAdmin }) {
  const form = useApiForm({
    defaults: { name: category?.name ?? '' },
    schema: Name,
    async send(body) {
      if (category === undefined) await request('/api/categories', noAnswer, { method: 'POST', body })
      else await request(`/api/categories/${category.id}`, noAnswer, { method: 'PUT', body })
      onDone(
        category === undefined ? `The category '${body.name}' is added.` : `'${category.name}' is now '${body.name}'.`,
      )
    },
    otherwise,
  })
  return (
    <ActDialog
      title={title}
      form={form}
      label={category === undefined ? 'Add' : 'Rename'}
      labelWhileSending="Saving..."
      onClose={onClose}
    >
      <TextField
        {...form.field('name')}
        label="Name"
        maxLength={60}
        autoComplete="off"
        help={category === undefined ? undefined : 'Its entries take the new name in every list.'}
      />
    </ActDialog>
  )
}

function MergeDialog({
  category,
  categories,
  onDone,
  onClose,
}: Ends & { category: CategoryForAdmin; categories: readonly CategoryForAdmin[] }) {
  const others = categories.filter(({ id, merging }) => id !== category.id && merging === null)
  const form = useApiForm({
    defaults: { into: '' },
    schema: Merge,
    async send(body) {
      await request(`/api/categories/${category.id}/merge`, noAnswer, { method: 'POST', body })
      const name = others.find(({ id }) => id === body.into)?.name ?? ''
      onDone(`'${category.name}' is being merged into '${name}'.`)
    },
    otherwise,
  })
  return (
    <ActDialog
      title="Merge the category"
      form={form}
      label="Merge"
      asksBeforeClosing={false}
      labelWhileSending="Merging..."
      isGrave
      onClose={onClose}
    >
      <p>
        {`${category.items === 1 ? 'The one entry' : `All ${category.items.toLocaleString('en-US')} entries`} of `}
        <bdi>{category.name}</bdi> move to another category, each checked again. Then <bdi>{category.name}</bdi> is
        removed. This cannot be undone.
      </p>
      <SelectField
        {...form.field('into')}
        label="Merge into"
        options={[
          { value: '', label: 'Choose a category' },
          ...others.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
      />
    </ActDialog>
  )
}
