import { type ReactNode, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { request } from '../../../../browser/api-client.ts'
import { dayInWords } from '../../../../browser/format-instant.ts'
import { Moment } from '../../../../browser/moment.tsx'
import { MessageAnswer } from '../../../../http/message-schema.ts'
import { DataTable } from '../../../../ui/data-table.tsx'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { WorkSection } from '../../../../ui/work-page.tsx'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'

interface Revocable {
  id: string
  device: string
  createdAt: string
  lastAt: string
}

/** A list on the page of a member, with one button that ends all of it once that was confirmed. */
export function RevokeAllSection({
  title,
  path,
  heads,
  rows,
  none,
  hasMore = false,
  label,
  labelWhileSending,
  now,
  onChanged,
  children,
}: {
  title: string
  /** The path whose DELETE ends all of them. */
  path: string
  /** Over the device and the two times. */
  heads: [string, string, string]
  rows: readonly Revocable[]
  none: string
  /** Whether there is something to end that the list does not have. */
  hasMore?: boolean
  label: string
  labelWhileSending: string
  now: number
  onChanged: () => void
  children: ReactNode
}) {
  const [isAsking, setIsAsking] = useState(false)
  const [done, setDone] = useState<string>()
  return (
    <WorkSection title={title}>
      {rows.length === 0 ? (
        <p>{none}</p>
      ) : (
        <DataTable label={title} heads={heads}>
          {rows.map(({ id, device, createdAt, lastAt }) => (
            <tr key={id}>
              <td>{device}</td>
              <td>
                <time dateTime={createdAt}>{dayInWords(createdAt)}</time>
              </td>
              <td>
                <Moment at={lastAt} now={now} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {rows.length > 0 || hasMore ? (
        <div className="button-row">
          <Button label={label} aria-haspopup="dialog" onClick={() => setIsAsking(true)} />
        </div>
      ) : null}
      <Announced>{done === undefined ? null : <Notice tone="done">{done}</Notice>}</Announced>
      {isAsking ? (
        <ConfirmDialog
          title={label}
          label={label}
          labelWhileSending={labelWhileSending}
          otherwise="An error occurred. Please try again."
          act={async () => {
            const { message } = await request(path, MessageAnswer, { method: 'DELETE' })
            setIsAsking(false)
            setDone(message)
            onChanged()
          }}
          onClose={() => setIsAsking(false)}
        >
          <p>{children}</p>
        </ConfirmDialog>
      ) : null}
    </WorkSection>
  )
}
