import type { NoticeForDesk, ReportedAddress } from '../../desk/desk-schema.ts'
import type { DialogOfCase } from './case-dialog.tsx'
import { AskDialog, AttachDialog, CloseDialog, DetachDialog, DuplicateDialog, KindDialog } from './case-dialogs.tsx'
import { AcceptDialog, ActionDialog, RefuseDialog } from './counter-notice-dialogs.tsx'

const dialogs = {
  ask: AskDialog,
  kind: KindDialog,
  attach: AttachDialog,
  duplicate: DuplicateDialog,
  close: CloseDialog,
} as const

const counterNoticeDialogs = { accept: AcceptDialog, refuse: RefuseDialog, action: ActionDialog } as const

export type CaseQuestion =
  | { about: 'notice'; dialog: keyof typeof dialogs }
  | {
      about: 'counter-notice'
      dialog: keyof typeof counterNoticeDialogs
      id: NoticeForDesk['counterNotices'][number]['id']
    }
  | { about: 'address'; address: ReportedAddress }

export function CaseQuestionDialog({ question, ...dialog }: DialogOfCase & { question: CaseQuestion }) {
  if (question.about === 'address') return <DetachDialog {...dialog} address={question.address} />
  if (question.about === 'notice') {
    const Shown = dialogs[question.dialog]
    return <Shown {...dialog} />
  }
  const counterNotice = dialog.desk.notice.counterNotices.find(({ id }) => id === question.id)
  const Shown = counterNoticeDialogs[question.dialog]
  return counterNotice === undefined ? null : <Shown {...dialog} counterNotice={counterNotice} />
}
