import { type ReactNode, useEffect, useRef, useState } from 'react'
import { comingDayInWords } from '../../../browser/format-instant.ts'
import { ApiError, NetworkError, request } from '../../../browser/api-client.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { recheckAccess, useAdminQuery } from '../../office/browser/admin-query.ts'
import { DialogForm } from '../../office/parts/dialog-form.tsx'
import { networkRefusal, refusalIn, textOf, useSubmission } from '../../office/parts/use-submission.ts'
import { type ItemChoice, ItemChoices, RequestForAdmin } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'
import { votesInWords } from './vote-button.tsx'

const waitMs = 300

/** Links an approved request to the entry that fulfils it, found by its name. */
export function FulfilDialog({
  wanted: { id, title, votes },
  onFulfilled,
  onClose,
}: {
  wanted: RequestForAdmin
  onFulfilled: (changed: RequestForAdmin) => void
  onClose: () => void
}) {
  const [text, setText] = useState(title)
  const [settled, setSettled] = useState(title)
  const [isComposing, setIsComposing] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isComposing) return
    const timer = setTimeout(() => setSettled(text.trim().slice(0, 200)), waitMs)
    return () => clearTimeout(timer)
  }, [text, isComposing])
  const choices = useAdminQuery(
    `${requestsPath}/items?${new URLSearchParams({ search: settled }).toString()}`,
    ItemChoices,
    { keepsPrevious: true },
  )
  const submission = useSubmission({
    check: (values) => (textOf(values, 'itemId') === '' ? { message: 'Choose the entry that fulfils it.' } : undefined),
    async send(values) {
      try {
        onFulfilled(
          await request(`${requestsPath}/${id}/item`, RequestForAdmin, {
            method: 'PUT',
            body: { itemId: textOf(values, 'itemId') },
          }),
        )
        return undefined
      } catch (error) {
        if (error instanceof ApiError && !(error instanceof NetworkError)) recheckAccess(error)
        return refusalIn(error, 'The request could not be linked.')
      }
    },
    unreachable: networkRefusal,
  })
  const { items, nearest } = choices.data ?? { items: [], nearest: [] }
  const [chosenId, setChosenId] = useState<string>()
  const opensAt = [...items, ...nearest].find((item) => item.id === chosenId)?.opensAt ?? null
  const opensOn = opensAt === null ? undefined : comingDayInWords(opensAt, choices.answeredAt)
  return (
    <Dialog title="Link to an entry" isBusy={submission.isSending} onClose={onClose}>
      <p>
        {`Which entry fulfils "${title}"? Everyone who voted is emailed once they can open it: ${votesInWords(votes)}. For a VIP entry only VIPs are emailed, for a scheduled one nobody before its day.`}
      </p>
      <DialogForm
        submission={submission}
        label={opensOn === undefined ? 'Link and tell them' : `Link, and tell them ${opensOn}`}
        labelWhileSending="Linking..."
        done={undefined}
        onCancel={onClose}
      >
        <SearchField
          name="search"
          label="Search entries by name"
          placeholder="Search by name..."
          value={text}
          maxLength={200}
          inputRef={input}
          onChange={setText}
          onCompose={setIsComposing}
        />
        <Choices
          legend="Entries"
          items={items}
          isBusy={choices.isFetching}
          now={choices.answeredAt}
          onChosen={setChosenId}
        >
          {items.length === 0 && !choices.isFetching ? (
            <p className="work-aside">No published entry has a name like this.</p>
          ) : null}
        </Choices>
        {nearest.length === 0 ? null : (
          <Choices
            legend="Names that come near"
            isLegendShown
            items={nearest}
            isBusy={choices.isFetching}
            now={choices.answeredAt}
            onChosen={setChosenId}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

function Choices({
  legend,
  isLegendShown = false,
  items,
  isBusy,
  now,
  onChosen,
  children,
}: {
  legend: string
  isLegendShown?: boolean
  items: readonly ItemChoice[]
  isBusy: boolean
  /** In milliseconds since 1970. */
  now: number
  onChosen: (id: string) => void
  children?: ReactNode
}) {
  return (
    <fieldset className="requests-choices" aria-busy={isBusy}>
      <legend className={isLegendShown ? undefined : 'sr-only'}>{legend}</legend>
      {children}
      {items.map(({ id, name, contentType, opensAt }) => (
        <div key={id}>
          <input id={`item-${id}`} type="radio" name="itemId" value={id} onChange={() => onChosen(id)} />
          <label htmlFor={`item-${id}`}>
            <bdi>{name}</bdi>{' '}
            <small className="work-aside">
              {opensAt === null ? contentType : `${contentType}, opens ${comingDayInWords(opensAt, now)}`}
            </small>
          </label>
        </div>
      ))}
    </fieldset>
  )
}
