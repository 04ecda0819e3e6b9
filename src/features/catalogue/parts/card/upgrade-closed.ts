export const upgradeKey = 'upgrade'
export const upgradeClosed = 'closed'

/**
 * On the body after the visitor has closed the panel: the panel comes with the page from the server, which is the same
 * for everybody.
 */
export const upgradeClosedClass = 'upgrade-closed'

/** Stands first in the body and runs before anything is painted, so that the closed panel does not flash. */
export const upgradeClosedScript = `try{if(localStorage.getItem('${upgradeKey}')==='${upgradeClosed}')document.body.classList.add('${upgradeClosedClass}')}catch{}`
