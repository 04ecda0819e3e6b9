import { kindLabels, type NoticeKind } from './notice-kinds.ts'

export function kindChangedInWords(sentAs: NoticeKind, kind: NoticeKind): string {
  return sentAs === kind
    ? `We handle it as '${kindLabels[kind]}' again, as you sent it, with the rules and the deadlines of that kind.`
    : `You sent it as '${kindLabels[sentAs]}'. We handle it as '${kindLabels[kind]}': the rules and the deadlines of that kind hold for it now.`
}
