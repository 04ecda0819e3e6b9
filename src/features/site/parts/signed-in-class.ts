/** On the body while there is a session: parts for visitors are hidden until the header knows more. */
export const signedInClass = 'signed-in'

/**
 * Stands first in the body and runs before anything is painted: pages come from the server as a visitor sees them,
 * the same for everybody, and nobody who has signed in sees 'Login' flash.
 */
export const signedInScript = `try{if(localStorage.getItem('Token')||sessionStorage.getItem('Token'))document.body.classList.add('${signedInClass}')}catch{}`
