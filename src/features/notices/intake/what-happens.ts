import type { NoticeKind } from '../notice/notice-kinds.ts'

/** The same for every notice: it does not reveal whether there is an entry at an address, which may be one of VIPs. */
const byHand = 'If an address leads nowhere, a person looks for the entry.'
const hiddenAtOnce = `We hide each entry that we can find at the address you gave. If very many reports come at once, a person looks first. ${byHand}`

/** The next steps and deadlines, for the sender of a notice of this kind. */
export function whatHappens(kind: NoticeKind, isComplete: boolean): string {
  switch (kind) {
    case 'child-safety':
      return `${hiddenAtOnce} The person responsible for child safety looks at your report within 4 hours.`
    case 'intimate-image':
      return isComplete
        ? `${hiddenAtOnce} It stays hidden until a person has decided, which we do within 24 hours.`
        : `As soon as you add what is missing, we hide each entry that we can find at the address you gave. ${byHand} It then stays hidden until a person has decided. If you do not add it, we hide each entry that we can find after 44 hours at the latest.`
    case 'consent':
      return `We hide each entry that we can find at the address you gave within 24 hours, and decide within 5 business days. ${byHand}`
    case 'copyright':
      return isComplete
        ? 'We look at your notice within one business day. If we have not decided after 3 days, we hide the entry until we do.'
        : 'As soon as you add what is missing, we look at your notice within one business day.'
    case 'privacy':
      return 'We decide within 7 days.'
    case 'other':
      return 'We decide within 5 business days.'
  }
}
