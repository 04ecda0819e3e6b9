/** The storage key of the announcement that was closed last. */
export const announcementKey = 'announcement'

/** Stands first in the body: `/appearance.css` hides the announcement that the body names. */
export const announcementScript = `try{document.body.dataset.closed=localStorage.getItem('${announcementKey}')||''}catch{}`
