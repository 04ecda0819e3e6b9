import { usualSentence } from '../../../browser/api-client.ts'
import { ConfirmDialog } from '../../office/parts/confirm-dialog.tsx'

export type FeedAct = 'make' | 'replace' | 'end'

/**
 * Asks before a private feed is made, replaced or ended.
 * @param name such as 'private feed'
 */
export function FeedDialog({
  asked,
  name,
  make,
  end,
  onClose,
}: {
  asked: FeedAct | undefined
  name: string
  make: () => Promise<void>
  end: () => Promise<void>
  onClose: () => void
}) {
  if (asked === undefined) return null
  const { verb, object, sentence } = acts[asked]
  return (
    <ConfirmDialog
      title={`${verb} ${object ?? `${asked === 'make' ? 'a' : 'the'} ${name}`}`}
      label={`${verb} it`}
      labelWhileSending={acts[asked].labelWhileSending}
      otherwise={usualSentence}
      act={asked === 'end' ? end : make}
      onClose={onClose}
    >
      <p>{sentence}</p>
    </ConfirmDialog>
  )
}

const acts: Record<FeedAct, { verb: string; object?: string; labelWhileSending: string; sentence: string }> = {
  make: {
    verb: 'Create',
    labelWhileSending: 'Creating it...',
    sentence: 'You get an address for your reading program. It is shown once: keep it to yourself.',
  },
  replace: {
    verb: 'Replace',
    object: 'the address',
    labelWhileSending: 'Replacing it...',
    sentence: 'The old address stops working at once. Programs that use it need the new one.',
  },
  end: {
    verb: 'End',
    labelWhileSending: 'Ending it...',
    sentence: 'Programs that read it stop getting entries. You can create a new one at any time.',
  },
}
