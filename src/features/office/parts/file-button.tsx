import type { ReactNode } from 'react'
import { useApiMutation } from '../../../browser/queries.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Announced, Notice } from '../../../ui/notice.tsx'
import { recheckAccess } from '../browser/admin-query.ts'
import './file-button.css'

const looks = {
  plain: 'button',
  /** A name in a list: it stays while the file is prepared. */
  link: 'text-link',
}

/** A button that gives the browser a file to save. How it went stands below the row of buttons that it belongs to. */
export function FileButton({
  look = 'plain',
  name,
  save,
  children,
}: {
  look?: keyof typeof looks
  /** For screen readers, where the words on it are those of other buttons too. */
  name?: string
  /**
   * @param filled the fields of its form that are filled in, as a query
   * @returns the name of the file
   */
  save: (filled: string) => Promise<string>
  children: ReactNode
}) {
  const saving = useApiMutation<string, string>({ mutationFn: save, onError: recheckAccess })
  return (
    <>
      <button
        type="button"
        className={`${looks[look]} file-button`}
        aria-label={name}
        aria-disabled={saving.isPending}
        onClick={(event) => {
          if (!saving.isPending) saving.mutate(filledIn(event.currentTarget.form))
        }}
      >
        {look === 'plain' ? <Icon name="download" /> : null}
        {saving.isPending && look !== 'link' ? 'Preparing...' : children}
      </button>
      <Announced>
        {saving.error === null ? null : <Notice tone="failed">{saving.error.message}</Notice>}
        {saving.data === undefined ? null : <Notice tone="done">{`Saved as ${saving.data}.`}</Notice>}
      </Announced>
    </>
  )
}

function filledIn(form: HTMLFormElement | null): string {
  const query = new URLSearchParams()
  for (const [name, value] of form === null ? [] : new FormData(form))
    if (typeof value === 'string' && value !== '') query.set(name, value)
  return query.toString()
}
