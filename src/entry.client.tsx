import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { isReadable, readablePath } from './http/readable-path.ts'
import { followUpgrades } from './browser/follow-upgrades.ts'

// The router reads the address here, and has to find the page in it that the server has rendered.
const { pathname, search, hash } = window.location
if (!isReadable(pathname + hash)) {
  const address = readablePath(pathname) + search + (isReadable(hash) ? hash : '')
  window.history.replaceState(window.history.state, '', address)
}

followUpgrades()

startTransition(() => {
  hydrateRoot(document, <HydratedRouter />)
})
