/**
 * Inside the process only: carries the mark of a page's own scripts from the server to the renderer. It is set on every
 * page request, so that none from outside gets through.
 */
export const scriptNonceHeader = 'x-script-nonce'

/** On the data of a page: the build of the pages that it is meant for. */
export const buildHeader = 'x-build'

/** The Trusted Types policies that pages may make (docs/spec/http.md#trusted-types): this one writes the rows of lists. */
export const markupPolicy = 'markup'

/** And this one gives the address of the service worker. */
export const workerPolicy = 'worker'

export const serviceWorkerPath = '/service-worker.js'
