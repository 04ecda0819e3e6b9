import { useEffect, useState } from 'react'
import { isRouteErrorResponse, useLocation, useRevalidator } from 'react-router'
import { ButtonLink } from '../../../ui/button.tsx'
import { readRegion } from '../../catalogue/parts/listing/region.ts'
import { OutagePage, outageIn } from '../../../ui/outage-page.tsx'
import { StatePage } from '../../../ui/state-page.tsx'

/** Shown when a page could not be rendered: what happened, and the next step. */
export function ErrorPage({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <>
        <title>Not found</title>
        <meta name="robots" content="noindex" />
        <NotFoundPage />
      </>
    )
  }
  const outage = outageIn(error)
  if (outage !== undefined) {
    return (
      <>
        <title>Back in a moment</title>
        <meta name="robots" content="noindex" />
        <OutagePage message={outage} />
      </>
    )
  }
  const refusal = refusalIn(error)
  if (refusal !== undefined) return <RefusedPage message={refusal} />
  return (
    <div className="column">
      <title>Error</title>
      <meta name="robots" content="noindex" />
      <StatePage
        drawing="blot"
        title="Something went wrong"
        steps={
          <>
            <button
              type="button"
              className="button button-solid with-script"
              disabled={state === 'loading'}
              onClick={() => void revalidate()}
            >
              {state === 'loading' ? 'Loading...' : 'Try again'}
            </button>
            <ButtonLink label="Back to Homepage" to="/" reloadDocument />
          </>
        }
      >
        <p>An error occurred. Please try again.</p>
      </StatePage>
    </div>
  )
}

/** The sentence of a page that was refused on purpose; undefined for a defect. */
function refusalIn(error: unknown): string | undefined {
  if (!isRouteErrorResponse(error) || error.status >= 500) return undefined
  const { message } = (error.data ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}

/** A refusal in its own sentence, and how to try again; it works without scripts. */
function RefusedPage({ message }: { message: string }) {
  const { pathname, search } = useLocation()
  return (
    <div className="column">
      <title>This could not be done</title>
      <meta name="robots" content="noindex" />
      <StatePage
        drawing="shut"
        title="This could not be done"
        steps={
          <>
            <ButtonLink look="solid" label="Try again" to={pathname + search} reloadDocument />
            <ButtonLink label="Back to Homepage" to="/" />
          </>
        }
      >
        <p>{message}</p>
      </StatePage>
    </div>
  )
}

export function NotFoundPage() {
  const [region, setRegion] = useState<'asian' | 'western'>('western')
  useEffect(() => setRegion(readRegion()), [])
  return (
    <div className="column">
      <StatePage
        drawing="missing"
        title="There is no such page"
        steps={
          <>
            <ButtonLink look="solid" label="Back to Homepage" to="/" />
            <ButtonLink label="Open the catalogue" to={`/${region}`} />
          </>
        }
      >
        <p>The address may be mistyped, or the page may have been removed.</p>
      </StatePage>
    </div>
  )
}
