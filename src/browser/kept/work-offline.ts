import { serviceWorkerPath, workerPolicy } from '../../http/pages/page-headers.ts'
import { trustedTypes } from '../trusted-types.ts'
import { isKeptOffline } from './kept-pages.ts'
import { keepWhole } from './saved-pages.ts'

/** A page that was looked at for so long counts as read. */
const readAfterMs = 5_000

let isAsked = false

/** Has the site readable without a connection from now on, where the browser allows it (docs/spec/offline.md). */
export function workOffline(): void {
  if (isAsked || !('serviceWorker' in navigator)) return
  isAsked = true
  register().catch(() => {
    // A browser may refuse, as in a private window: it keeps no pages then.
  })
}

async function register(): Promise<void> {
  const policy = trustedTypes?.createPolicy(workerPolicy, { createScriptURL: () => serviceWorkerPath })
  // The compiler knows texts alone here.
  const script = (policy?.createScriptURL('') ?? serviceWorkerPath) as string
  const registration = await navigator.serviceWorker.register(script)
  // A new version takes over while nobody looks.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) registration.waiting?.postMessage('take over')
  })
  await navigator.serviceWorker.ready
  keepWhatIsRead()
}

/** The router fetches the data of a page alone; one that was read is kept whole. */
function keepWhatIsRead(): void {
  let timer: number | undefined
  const begin = (): void => {
    window.clearTimeout(timer)
    timer = window.setTimeout(() => {
      const page = new URL(location.href)
      page.hash = ''
      // Nothing is lost when it cannot be fetched: it is kept the next time.
      if (isKeptOffline(page)) keepWhole(page.href).catch(() => undefined)
    }, readAfterMs)
  }
  begin()
  const { navigation } = window as { navigation?: EventTarget }
  navigation?.addEventListener('navigatesuccess', begin)
}
