/** The emails about notices, by the names of their jobs. Each template documents its data. */
export const noticeMails = {
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
  /** {userId, counterNoticeIds, count}: to the desk. */
  counterReceived: 'notices.counter-received',
  /** {userId, noticeIds, count}: addresses that senders have added. */
  additions: 'notices.additions',
  /** {noticeId}: to the sender of a notice of which a part has become this one. */
  /** {userId, noticeIds, count} */
  grave: 'notices.grave',
  /** {userId, noticeId, eventNo}: to the other safety officers. */
  secondWanted: 'notices.second-wanted',
  /** {userId, clockIds, count} */
  overdue: 'notices.overdue',
} as const
