import { useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Button } from '../../../../ui/button.tsx'
import { ApiError } from '../../../../browser/api-client.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { requestAsAdmin } from '../../../office/browser/request-as-admin.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { ItemForAdmin } from '../content-schema.ts'
import { signatureInWords } from './content-words.ts'

const Overtaken = z.object({ current: ItemForAdmin })

export function RightsVerification({
  item,
  isDirty,
  onRead,
}: {
  item: ItemForAdmin
  /** The form holds changes that are not saved: what would be verified is not what it shows. */
  isDirty: boolean
  /** The entry as it is stored now, verified or changed by somebody else meanwhile. */
  onRead: (item: ItemForAdmin) => void
}) {
  const { attestation, verification } = item
  const [isAsked, setIsAsked] = useState(false)
  const [isOvertaken, setIsOvertaken] = useState(false)
  const lines = useRef<HTMLDivElement>(null)
  const helpId = useId()
  if (attestation === null) return null

  const verify = async (): Promise<void> => {
    try {
      const verified = await requestAsAdmin(`/api/items/${item.id}/verify`, ItemForAdmin, {
        method: 'POST',
        body: { version: item.version },
      })
      setIsOvertaken(false)
      onRead(verified)
    } catch (error) {
      const overtaken =
        error instanceof ApiError && error.status === 409
          ? Overtaken.safeParse(error.data)
          : { success: false as const }
      if (!overtaken.success) throw error
      setIsOvertaken(true)
      onRead(overtaken.data.current)
    }
    setIsAsked(false)
    // The button that was pressed may have gone: the keyboard goes on at what came of it.
    setTimeout(() => lines.current?.focus({ preventScroll: true }))
  }

  return (
    <div ref={lines} tabIndex={-1} className="content-verification">
      <p className="work-aside" dir="auto">
        {`Attested by ${signatureInWords(attestation)}.`}
      </p>
      {verification === null ? null : (
        <p className="work-aside" dir="auto">
          {`Verified by ${signatureInWords(verification)}.`}
        </p>
      )}
      {verification === null && attestation.isOwn && item.requiresSecondPerson ? (
        <p className="work-aside">You have recorded these rights: another administrator has to verify them.</p>
      ) : null}
      {verification !== null || attestation.isOwn || item.status === 'removed' ? null : (
        <>
          <Button
            label="Verify the rights"
            isBusy={isDirty}
            aria-describedby={isDirty ? helpId : undefined}
            onClick={() => setIsAsked(true)}
          />
          {isDirty ? (
            <p id={helpId} className="work-aside">
              Save or discard your changes first: the rights are verified as they are stored.
            </p>
          ) : null}
        </>
      )}
      <Announced>
        {isOvertaken ? (
          <Notice tone="failed">
            Somebody else has changed this entry in the meantime. This is how it is now: look at it again.
          </Notice>
        ) : null}
      </Announced>
      {isAsked ? (
        <ConfirmDialog
          title="Verify the rights"
          label="Verify"
          labelWhileSending="Verifying..."
          otherwise="Failed to verify the rights. Please try again."
          act={verify}
          onClose={() => setIsAsked(false)}
        >
          <p>
            Have you looked at the evidence of <bdi>{item.name}</bdi>, and are its rights as recorded? Your name and the
            day are recorded with it.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
