/** The emails about notices, by the names of their jobs. Each template documents its data. */
export const noticeMails = {
  /** {noticeId}: to the sender, with the reference and the private page. */
  received: 'notices.received',
  /** {decisionId, to: who} */
  statement: 'notices.statement',
  /** {appealId, to: who} */
  appealAnswered: 'notices.appeal-answered',
  /** {noticeId, kind}: to the sender. */
  kindChanged: 'notices.kind-changed',
  /** {noticeId, eventNo} */
  asked: 'notices.asked',
  /** {counterNoticeId}: to the sender of the notice. */
  counterForwarded: 'notices.counter-forwarded',
  /** {counterNoticeId, what}: to whoever sent the counter-notice. */
  counterProgress: 'notices.counter-progress',
  /** {counterNoticeId} or {inquiryId}: to whoever sent it. */
  counterReceipt: 'notices.counter-receipt',
  /** {userId, noticeId, eventNo}: to the other safety officers. */
  secondWanted: 'notices.second-wanted',
  /** {userId, notices, clocks, counterNotices}, each {ids, count}: what waits for the desk. */
  desk: 'notices.desk',
} as const
