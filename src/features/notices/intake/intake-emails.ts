/** The mail that tells a sender that their notice has come, with its reference and its private page. */
export const acknowledgementEmail = 'notices.received'
