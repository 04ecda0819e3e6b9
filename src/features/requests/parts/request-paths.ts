export const requestsPath = '/recommendations'
export const openPath = `${requestsPath}/open`
export const ownPath = `${requestsPath}/mine`
export const inquiriesPath = '/api/inquiries'

/** Where a title is carried along that was searched for in vain. */
export const titleParameter = 'title'
