import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { accountsContext } from '../../accounts/page-context.ts'
import { unindexedMeta } from '../../../ui/unindexed-meta.ts'
import { ErrorTable } from '../parts/reference/error-table.tsx'
import { RouteEntry } from '../parts/reference/route-entry.tsx'
import { errorAnchor } from '../reference/reference.ts'
import type { Route } from './+types/api-docs.ts'
import '../parts/reference/reference.css'

export async function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(accountsContext).config
  const { brandName } = context.get(accountsContext).texts.inForce
  // The description is as large as all pages together.
  const { readReference } = await import('../reference/read-reference.server.ts')
  return { brandName, reference: readReference(publicUrl) }
}

export const meta = unindexedMeta('HTTP interface')

/** The reference of the HTTP interface, for authors of programs that call it. */
export default function ApiDocs({ loaderData: { reference } }: Route.ComponentProps) {
  const { hash } = useLocation()
  useEffect(() => {
    const entry = document.getElementById(hash.slice(1))
    if (entry instanceof HTMLDetailsElement) entry.open = true
  }, [hash])
  const { groups, errorCodes, errorsEverywhere } = reference
  const ofCallers = errorCodes.filter(({ isOfCommand }) => !isOfCommand)
  return (
    <div className="column reference">
      <h1>HTTP interface</h1>
      <p>
        The HTTP interface of this site. The same as an OpenAPI document:{' '}
        <a className="text-link" href="/openapi.json">
          openapi.json
        </a>
        .
      </p>
      <p>
        In shapes, <code>instant</code> is an instant as ISO text in UTC, a question mark means that a member may be
        missing, and <code>encoded</code> means JSON as base64 with one further character inserted as the third.
      </p>
      <nav aria-label="Contents" className="reference-contents">
        <ul>
          {groups.map(({ name, routes }) => (
            <li key={name}>
              <a href={`#${anchorOf(name)}`}>{name}</a> <span className="reference-kind">{routes.length}</span>
            </li>
          ))}
          <li>
            <a href="#errors">Errors</a> <span className="reference-kind">{ofCallers.length}</span>
          </li>
        </ul>
      </nav>
      {groups.map(({ name, routes }) => (
        <section key={name} aria-labelledby={anchorOf(name)} className="reference-group">
          <h2 id={anchorOf(name)}>{name}</h2>
          {routes.map((route) => (
            <RouteEntry key={route.id} route={route} />
          ))}
        </section>
      ))}
      <section aria-labelledby="errors" className="reference-group">
        <h2 id="errors">Errors</h2>
        <p>
          Every error is JSON: <code>message</code> is a sentence for people, <code>code</code> is for programs and
          stays the same, <code>field</code> names what is at fault. In the sentences below, … stands for a value. Every
          route may also answer{' '}
          {errorsEverywhere.map((code, place) => (
            <span key={code}>
              {place === 0 ? '' : ', '}
              <a className="text-link" href={`#${errorAnchor(code)}`}>
                {code}
              </a>
            </span>
          ))}
          .
        </p>
        <ErrorTable codes={ofCallers} />
      </section>
    </div>
  )
}

function anchorOf(group: string): string {
  return `routes-${group.toLowerCase().replaceAll(' ', '-')}`
}
