/**
 * Inside the process only: carries the mark of a page's own scripts from the server to the renderer. It is set on every
 * page request, so that none from outside gets through.
 */
export const scriptNonceHeader = 'x-script-nonce'
