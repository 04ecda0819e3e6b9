import { useId } from 'react'

const waves = [16, 12.5, 9, 5.5, 2]

/**
 * Two papers of the binder's: waves in rows (seigaiha) and tracery of circles (quatrefoil). Both are lines of the
 * accent in force on its tint, computed from circles of one size, so that they belong together.
 */
export function Pattern({ name, className }: { name: 'waves' | 'tracery'; className?: string }) {
  const id = useId()
  return (
    <svg className={className} aria-hidden="true" width="100%" height="100%">
      <defs>
        {name === 'waves' ? (
          <pattern id={id} width="32" height="16" patternUnits="userSpaceOnUse" patternTransform="scale(1.5)">
            {[
              { x: 0, y: 8 },
              { x: 32, y: 8 },
              { x: 16, y: 16 },
              { x: 0, y: 24 },
              { x: 32, y: 24 },
            ].map(({ x, y }) =>
              waves.map((radius) => (
                <circle
                  key={`${x} ${y} ${radius}`}
                  cx={x}
                  cy={y}
                  r={radius}
                  className="pattern-wave"
                  strokeWidth="0.7"
                />
              )),
            )}
          </pattern>
        ) : (
          <pattern id={id} width="32" height="32" patternUnits="userSpaceOnUse" patternTransform="scale(1.5)">
            <g fill="none" className="pattern-tracery" strokeWidth="0.7">
              {[
                { x: 0, y: 0 },
                { x: 32, y: 0 },
                { x: 0, y: 32 },
                { x: 32, y: 32 },
                { x: 16, y: 16 },
              ].map(({ x, y }) => (
                <g key={`${x} ${y}`}>
                  <circle cx={x} cy={y} r="16" />
                  <circle cx={x} cy={y} r="12.5" />
                  <circle cx={x} cy={y} r="2" />
                </g>
              ))}
            </g>
          </pattern>
        )}
      </defs>
      <rect width="100%" height="100%" className="pattern-ground" />
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
