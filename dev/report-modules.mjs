/** Tells the parent process each source that Node has loaded: when one of them changes, the server starts again. */
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) process.send?.({ loaded: fileURLToPath(url) })
    return nextLoad(url, context)
  },
})
