import { useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../../../ui/button.tsx'
import { ApiError, noAnswer, request } from '../../../../browser/api-client.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { ActDialog } from '../../../../ui/act-dialog.tsx'
import { TextField } from '../../../../ui/text-field.tsx'
import { useAdminQuery } from '../../../office/browser/admin-query.ts'
import { useApiForm } from '../../../office/browser/api-form.ts'
import { writtenText } from '../../../office/browser/form-rules.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { maxFilters, SavedFilter, SavedFilters as Schema } from '../content-schema.ts'
import { type ContentFilters, filtersInWords, isFiltered, writeContentFilters } from './content-filters.ts'

const path = '/api/content-filters'

const Name = z.object({ name: writtenText('Please enter a name.') })

export function useSavedFilters(filters: ContentFilters): {
  saved: readonly SavedFilter[]
  current: SavedFilter | undefined
} {
  const { data } = useAdminQuery(path, Schema)
  const saved = data?.filters ?? []
  const query = writeContentFilters(filters)
  return { saved, current: saved.find((one) => writeContentFilters(one) === query) }
}

export function SavedFilterButtons({
  saved,
  current,
  onChange,
}: ReturnType<typeof useSavedFilters> & { onChange: (filters: ContentFilters) => void }) {
  if (saved.length === 0) return null
  return (
    <div className="content-saved" role="group" aria-label="Saved filters">
      {saved.map(({ id, name, section, search, category, status }) => (
        <button
          key={id}
          type="button"
          className="chip"
          aria-pressed={id === current?.id}
          onClick={() => onChange({ section, search, category, status })}
        >
          <bdi>{name}</bdi>
        </button>
      ))}
    </div>
  )
}

export function SavedFilterAct({
  filters,
  saved,
  current,
}: ReturnType<typeof useSavedFilters> & { filters: ContentFilters }) {
  const [open, setOpen] = useState<'save' | SavedFilter>()
  return (
    <>
      {current === undefined && !isFiltered(filters) ? null : (
        <Button
          look="quiet"
          label={current === undefined ? 'Save filters' : 'Delete saved filter'}
          aria-haspopup="dialog"
          onClick={() => setOpen(current ?? 'save')}
        />
      )}
      {open === undefined ? null : open === 'save' ? (
        <SaveDialog filters={filters} count={saved.length} onClose={() => setOpen(undefined)} />
      ) : (
        <ConfirmDialog
          title="Delete the saved filter?"
          label="Delete"
          labelWhileSending="Deleting..."
          otherwise="The filter could not be deleted."
          act={async () => {
            try {
              await request(`${path}/${open.id}`, noAnswer, { method: 'DELETE' })
            } catch (error) {
              // Somebody else was first.
              if (!(error instanceof ApiError) || error.status !== 404) throw error
            }
            refetchAnswers(path)
            setOpen(undefined)
          }}
          onClose={() => setOpen(undefined)}
        >
          <p>
            <bdi>{open.name}</bdi> goes for all administrators. No entry is touched.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

function SaveDialog({ filters, count, onClose }: { filters: ContentFilters; count: number; onClose: () => void }) {
  const form = useApiForm({
    defaults: { name: '' },
    schema: Name,
    async send({ name }) {
      await request(path, SavedFilter, { method: 'POST', body: { name, ...filters } })
      refetchAnswers(path)
      onClose()
    },
    otherwise: 'The filters could not be saved.',
  })
  return (
    <ActDialog
      title="Save these filters"
      lead={<p>{`${filtersInWords(filters)}. All administrators can use it. ${count} of ${maxFilters} are saved.`}</p>}
      form={form}
      label="Save"
      labelWhileSending="Saving..."
      onClose={onClose}
    >
      <TextField {...form.field('name')} label="Name" maxLength={60} autoComplete="off" />
    </ActDialog>
  )
}
