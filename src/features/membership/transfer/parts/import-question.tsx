import { noAnswer, request } from '../../../../browser/api-client.ts'
import { refetchAnswers } from '../../../../browser/queries.ts'
import { counted } from '../../../../platform/counted.ts'
import { ConfirmDialog } from '../../../office/parts/confirm-dialog.tsx'
import { MemberImport } from '../import-schema.ts'
import { importsPath, isUnderWay } from './import-words.ts'

/** Asks before a file of members is imported, its invitations stop, or its report goes. */
export function ImportQuestion({
  asked,
  imported,
  path,
  onDone,
  onClose,
}: {
  asked: 'start' | 'discard' | 'stop'
  imported: MemberImport
  path: string
  /** Takes the import as it is then; undefined where it is gone. */
  onDone: (changed: MemberImport | undefined) => void
  onClose: () => void
}) {
  const members = counted(imported.counts.new, 'member')
  const { sentence, verb, ...words } = {
    start: {
      title: 'Import members',
      label: `Import ${members}`,
      labelWhileSending: 'Starting...',
      verb: 'start',
      sentence: `${members} will get an account without a password, and an email with a link to set one. Make sure that they have agreed to this.`,
    },
    stop: {
      title: 'Stop the invitations',
      label: 'Stop the invitations',
      labelWhileSending: 'Stopping...',
      isGrave: true,
      verb: 'stop-invitations',
      sentence: `${isUnderWay(imported) ? 'The import stops, too. ' : ''}Members who were imported keep their accounts; those not invited yet are not told. You can still invite each of them on their page.`,
    },
    discard: {
      title: 'Delete this report',
      label: 'Delete',
      labelWhileSending: 'Deleting...',
      verb: undefined,
      sentence: "The file's rows and this report are deleted. Members who were imported stay.",
    },
  }[asked]
  return (
    <ConfirmDialog
      {...words}
      otherwise="An error occurred. Please try again."
      act={async () => {
        const changed =
          verb === undefined
            ? await request(path, noAnswer, { method: 'DELETE' })
            : await request(`${path}/${verb}`, MemberImport, { method: 'POST' })
        onDone(changed)
        refetchAnswers(importsPath)
      }}
      onClose={onClose}
    >
      <p>{sentence}</p>
    </ConfirmDialog>
  )
}
