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
      sentence: `${members} will get an account without a password, and an email with a link to set one. Be sure that they have agreed to that.`,
    },
    stop: {
      title: 'Stop the invitations',
      label: 'Stop the invitations',
      labelWhileSending: 'Stopping...',
      isGrave: true,
      verb: 'stop-invitations',
      sentence: `${isUnderWay(imported) ? 'The import is stopped, too. ' : ''}Who was imported keeps the account; who was not invited yet hears nothing of it. You can send an invitation from the page of a member.`,
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
