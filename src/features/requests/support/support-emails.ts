/** The mail that tells the operator of an inquiry. */
export const receivedEmail = 'support.received'

/** An administrator's answer, mailed to whoever asked. */
export const replyEmail = 'support.reply'
