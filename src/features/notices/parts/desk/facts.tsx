import type { ReactNode } from 'react'

/** Names and values; a text stands as somebody wrote it. One without a value is left out. */
export function Facts({
  of,
  className = 'desk-facts',
}: {
  of: readonly (readonly [name: string, value: ReactNode])[]
  className?: string
}) {
  return (
    <dl className={className}>
      {of.map(([name, value]) =>
        value === null || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            {typeof value === 'string' ? (
              <dd className="desk-words" dir="auto">
                {value}
              </dd>
            ) : (
              <dd>{value}</dd>
            )}
          </div>
        ),
      )}
    </dl>
  )
}
