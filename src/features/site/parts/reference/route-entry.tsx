import { lazy, Suspense, useState } from 'react'
import { useSession } from '../../../../browser/session-store.ts'
import { Code } from './code.tsx'
import { errorAnchor, type RouteReference } from '../../reference/reference.ts'

const TryCall = lazy(() => import('./try-call.tsx').catch(() => ({ default: () => <></> })))

/**
 * One route: what it asks of its caller, what it takes, what it answers, and how it is called. One entry is
 * open at a time; members may call it.
 */
export function RouteEntry({ route }: { route: RouteReference }) {
  const { session } = useSession()
  const [isOpen, setIsOpen] = useState(false)
  const isCallable = session !== undefined && !route.takesFile
  return (
    <details
      id={route.id}
      name="route"
      className="reference-route"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <h3>
          <span className="reference-method">{route.method}</span> <code>{route.path}</code>
        </h3>
        <span className="reference-kind">{route.summary}</span>
      </summary>
      <RouteFacts route={route} />
      {isCallable && isOpen ? (
        <Suspense>
          <TryCall route={route} />
        </Suspense>
      ) : null}
    </details>
  )
}

function RouteFacts({ route }: { route: RouteReference }) {
  return (
    <>
      <dl className="reference-facts">
        <Fact name="Access">{route.access}</Fact>
        {route.keys.length === 0 ? null : <Fact name="Headers">{route.keys.join(', ')}</Fact>}
        {route.proofMinutes === undefined ? null : (
          <Fact name="Proof">{`of the last ${route.proofMinutes} minutes`}</Fact>
        )}
        <Fact name="Caching">{route.caching}</Fact>
        {route.rateLimit === undefined ? null : <Fact name="Rate limit">{route.rateLimit}</Fact>}
        {route.bodyLimit === undefined ? null : <Fact name="Body">{`at most ${route.bodyLimit}`}</Fact>}
      </dl>
      {route.parameters.length === 0 ? null : (
        <>
          <h4>Parameters</h4>
          <ul className="reference-parameters">
            {route.parameters.map((parameter) => (
              <li key={parameter.name}>
                <code>{parameter.name}</code>
                <span className="reference-kind">
                  {` ${parameter.in}${parameter.isRequired ? ', required' : ''}, `}
                  <code>{parameter.shape}</code>
                </span>
                {parameter.description === '' ? null : <span>{` ${parameter.description}`}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
      {route.body === undefined ? null : (
        <>
          <h4>Body</h4>
          <Code label={`Body of ${route.method} ${route.path}`}>{route.body}</Code>
        </>
      )}
      {route.answers.map(({ status, shape }) => (
        <Answer key={status} name={`${route.method} ${route.path}`} status={status} shape={shape} />
      ))}
      {route.errors.length === 0 ? null : (
        <>
          <h4>Errors</h4>
          <ul className="reference-codes">
            {route.errors.map((code) => (
              <li key={code}>
                <a className="text-link" href={`#${errorAnchor(code)}`}>
                  {code}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <h4>Example</h4>
      <Code label={`Example of ${route.method} ${route.path}`}>{route.curl}</Code>
    </>
  )
}

/** Longer examples are folded. */
const shortShape = 14

function Answer({ name, status, shape }: { name: string; status: string; shape: string | undefined }) {
  if (shape === undefined) return <h4>{`Answer ${status}, without a body`}</h4>
  const code = <Code label={`Answer ${status} of ${name}`}>{shape}</Code>
  const lines = shape.split('\n').length
  return (
    <>
      <h4>{`Answer ${status}`}</h4>
      {lines <= shortShape ? (
        code
      ) : (
        <details className="reference-more">
          <summary>{`Show its ${lines} lines`}</summary>
          {code}
        </details>
      )}
    </>
  )
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
