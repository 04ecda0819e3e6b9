/**
 * Inside the process only: carries the mark of a page's own scripts from the server to the renderer. It is set on every
 * page request, so that none from outside gets through.
 */
export const scriptNonceHeader = 'x-script-nonce'

/** On the data of a page: the build of the pages that it is meant for. */
export const buildHeader = 'x-build'

/** The one Trusted Types policy that pages may make: it writes the rows of lists (docs/spec/http.md#trusted-types). */
export const markupPolicy = 'markup'
