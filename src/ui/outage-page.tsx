import { isRouteErrorResponse, useLocation } from 'react-router'
import { ButtonLink } from './button.tsx'
import { StatePage } from './state-page.tsx'

/** The sentence of a temporary error of a page; undefined for any other. */
export function outageIn(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || error.status !== 503) return undefined
  const { message } = (error.data ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : 'Please try again in a minute.'
}

/** A page that cannot be shown for the moment, and how to ask again; it works without scripts. */
export function OutagePage({ message }: { message: string }) {
  const { pathname, search } = useLocation()
  return (
    <div className="column">
      <StatePage
        drawing="blot"
        title="Back in a moment"
        steps={<ButtonLink look="solid" label="Try again" to={pathname + search} reloadDocument />}
      >
        <p>{message}</p>
      </StatePage>
    </div>
  )
}
