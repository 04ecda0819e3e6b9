import { type DataStrategyResult, isRouteErrorResponse, type MiddlewareFunction } from 'react-router'

/* A navigation whose page cannot be fetched, because the connection or the server is away: the open page stays, and
   `PageProgress` offers to try again. A tab has one navigation, and so one state. */

/** `away`: neither the network nor the server gives an answer. `gone`: the server answers, but no longer with this script. */
type Loss = 'away' | 'gone' | undefined

let loss: Loss
const listeners = new Set<() => void>()

export const readLoss = (): Loss => loss

export function subscribeLoss(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `undefined` begins anew: scripts that have not come are asked for again. */
export function setLoss(next: Loss): void {
  loss = next
  for (const listener of listeners) listener()
}

/**
 * Replaces React Router's function of this name (see `vite.config.ts`), which reloads the page when a script does not
 * come: without a connection that ends on the browser's error page, even after a mere prefetch. This one waits and
 * never fails: the router would remember a failure for as long as the tab lives.
 */
export async function loadRouteModule<Module>(
  route: { id: string; module: string },
  loaded: Record<string, Module | undefined>,
): Promise<Module> {
  for (;;) {
    const known = loaded[route.id]
    if (known !== undefined) return known
    try {
      const module = (await import(/* @vite-ignore */ route.module)) as Module
      loaded[route.id] = module
      return module
    } catch {
      const answer = await fetch(route.module, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
      await untilBegunAnew(answer !== undefined && answer.status < 500 ? 'gone' : 'away')
    }
  }
}

function untilBegunAnew(reason: Loss): Promise<void> {
  return new Promise((resolve) => {
    setLoss(reason)
    const leave = subscribeLoss(() => {
      if (loss !== undefined) return
      leave()
      resolve()
    })
  })
}

/**
 * Middleware of the root route. A navigation whose data did not come stays under way, so that nothing is taken off the
 * screen, until another one or its own repetition takes its place.
 */
export const keepOpenPage: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  setLoss(undefined)
  const results = await next()
  if (request.signal.aborted || !Object.values(results).some(isUnfetched)) return results
  setLoss('away')
  return new Promise(() => undefined)
}

/** Whether no answer of the application has come: the network failed, a server before it spoke, or the answer broke off. */
function isUnfetched({ type, result }: DataStrategyResult): boolean {
  if (type !== 'error') return false
  if (isRouteErrorResponse(result)) return result.status >= 502 && result.status <= 504
  return result instanceof TypeError || (result instanceof Error && result.cause !== undefined)
}
