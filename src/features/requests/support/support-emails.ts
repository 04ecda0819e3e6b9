/** The mail that tells the operator of an inquiry. */
export const receivedEmail = 'support.received'

/** The mail that tells the operator of many inquiries at once. */
export const manyReceivedEmail = 'support.many-received'

/** An administrator's answer, mailed to whoever asked. */
export const replyEmail = 'support.reply'
