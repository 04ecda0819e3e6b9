import { Badge } from '../../../../ui/badge.tsx'
import { errorAnchor, type RouteReference } from '../../reference/reference.ts'

/** One route: what it asks of its caller, what it takes, what it answers, and how it is called. */
export function RouteEntry({ route }: { route: RouteReference }) {
  return (
    <article className="reference-route" aria-labelledby={route.id}>
      <h3 id={route.id}>
        <a href={`#${route.id}`}>
          <Badge>{route.method}</Badge> <code>{route.path}</code>
        </a>
      </h3>
      <p>{route.summary}</p>
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
    </article>
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

function Code({ label, children }: { label: string; children: string }) {
  return (
    // Reached by keyboard, so that it can be scrolled by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="reference-code" role="region" aria-label={label} tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}
