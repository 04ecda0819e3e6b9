import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { comingDayInWords } from '../../../browser/format-instant.ts'
import { request } from '../../../browser/api-client.ts'
import { ActDialog } from '../../../ui/act-dialog.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { typeNames } from '../../catalogue/item/field-lines.ts'
import { useAdminQuery } from '../../office/browser/admin-query.ts'
import { useApiForm } from '../../office/browser/api-form.ts'
import { type ItemChoice, ItemChoices, RequestForAdmin } from '../content-requests/request-schema.ts'
import { requestsPath } from './request-paths.ts'
import { votesInWords } from './vote-button.tsx'

const waitMs = 300

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
  // Typed text replaces the title.
  useEffect(() => input.current?.select(), [])
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
  const form = useApiForm({
    defaults: { itemId: '' },
    check: ({ itemId }) => (itemId === '' ? { message: 'Choose the entry that fulfils it.' } : undefined),
    async send(body) {
      onFulfilled(await request(`${requestsPath}/${id}/item`, RequestForAdmin, { method: 'PUT', body }))
    },
    otherwise: 'The request could not be linked.',
  })
  const { problem: _problem, ...choice } = form.field('itemId')
  const { items, nearest } = choices.data ?? { items: [], nearest: [] }
  const chosenId = form.values.itemId
  const opensAt = [...items, ...nearest].find((item) => item.id === chosenId)?.opensAt ?? null
  const opensOn = opensAt === null ? undefined : comingDayInWords(opensAt, choices.answeredAt)
  const state = { isBusy: choices.isFetching, now: choices.answeredAt, choice }
  return (
    <ActDialog
      title="Link to an entry"
      lead={
        <p>
          {`Which entry fulfils "${title}"? Everyone who voted is emailed once they can open it: ${votesInWords(votes)}. For a VIP entry only VIPs are emailed, for a scheduled one nobody before its day.`}
        </p>
      }
      form={form}
      label={opensOn === undefined ? 'Link and tell them' : `Link, and tell them ${opensOn}`}
      asksBeforeClosing={false}
      labelWhileSending="Linking..."
      onClose={onClose}
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
      <Choices legend="Entries" items={items} {...state}>
        {items.length === 0 && !choices.isFetching ? (
          <p className="work-aside">No published entry has a name like this.</p>
        ) : null}
      </Choices>
      {nearest.length === 0 ? null : <Choices legend="Names that come near" isLegendShown items={nearest} {...state} />}
    </ActDialog>
  )
}

function Choices({
  legend,
  isLegendShown = false,
  items,
  isBusy,
  now,
  choice,
  children,
}: {
  legend: string
  isLegendShown?: boolean
  items: readonly ItemChoice[]
  isBusy: boolean
  /** In milliseconds since 1970. */
  now: number
  choice: ComponentProps<'input'>
  children?: ReactNode
}) {
  return (
    <fieldset className="requests-choices" aria-busy={isBusy}>
      <legend className={isLegendShown ? undefined : 'sr-only'}>{legend}</legend>
      {children}
      {items.map(({ id, name, contentType, opensAt }) => (
        <div key={id}>
          <input id={`item-${id}`} type="radio" {...choice} value={id} />
          <label htmlFor={`item-${id}`}>
            <bdi>{name}</bdi>{' '}
            <small className="work-aside">
              {typeNames[contentType]}
              {opensAt === null ? null : `, opens ${comingDayInWords(opensAt, now)}`}
            </small>
          </label>
        </div>
      ))}
    </fieldset>
  )
}
