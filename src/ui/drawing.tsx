import type { ReactNode } from 'react'

/** The open book every state is drawn in: two leaves, a spine, and the ribbon that hangs from it. */
function Book({ children, ribbon = true }: { children: ReactNode; ribbon?: boolean }) {
  return (
    <>
      <path className="paper" d="M72 22C60 14 40 12 18 15v72c22-3 42-1 54 7 12-8 32-10 54-7V15c-22-3-42-1-54 7Z" />
      <path d="M72 22v72" />
      {children}
      {ribbon ? <path className="solid" d="M76 20.500c2-1.3 4-2.4 6-3.300V62l-3-3-3 3Z" /> : null}
    </>
  )
}

const drawings = {
  /** Ruled leaves on which nothing is written. */
  empty: (
    <Book>
      <path
        className="faint"
        d="M28 32c12-1 24 0 34 4M28 45c12-1 24 0 34 4M28 58c12-1 24 0 34 4M28 71c12-1 24 0 34 4"
      />
      <path className="faint" d="M92 33c8-2 16-2 24-1M92 46c8-2 16-2 24-1M84 61c10-3 21-4 32-3M84 74c10-3 21-4 32-3" />
      <circle className="inked" cx="113" cy="83" r="15" />
      <path className="inked" d="m124 94 12 12" />
    </Book>
  ),
  /** A leaf that has been taken out. */
  missing: (
    <Book>
      <path
        className="faint"
        d="M28 32c12-1 24 0 34 4M28 45c12-1 24 0 34 4M28 58c12-1 24 0 34 4M28 71c12-1 24 0 34 4"
      />
      <path className="inked" strokeDasharray="4 5" d="M92 30h28v44l-9 9H92Z" />
      <path className="inked" strokeDasharray="4 5" d="M120 74h-9v9" />
    </Book>
  ),
  /** Ink that ran. */
  blot: (
    <Book ribbon={false}>
      <path
        className="faint"
        d="M28 32c12-1 24 0 34 4M28 45c12-1 24 0 34 4M28 58c12-1 24 0 34 4M82 36c10-4 22-5 34-4"
      />
      <path
        className="solid"
        d="M99 48c5-4 10 1 15 1 6 0 10 4 8 9-1 4 3 7 0 11-4 5-9 1-13 4-5 4-13 3-15-3-1-4-6-5-5-10 1-4 6-9 10-12Z"
      />
      <circle className="solid" cx="90" cy="80" r="2.5" />
      <circle className="solid" cx="118" cy="81" r="1.8" />
    </Book>
  ),
  /** A book that is shut, with its band. */
  shut: (
    <>
      <path className="paper" d="M38 14h64a6 6 0 0 1 6 6v72H42a8 8 0 0 1-8-8V18a4 4 0 0 1 4-4Z" />
      <path d="M108 78H42a7 7 0 0 0 0 14" />
      <path className="faint" d="M46 14v64M58 34h38M58 44h38M58 54h22" />
      <path className="solid" d="M88 92h10v18l-5-5-5 5Z" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type DrawingName = keyof typeof drawings

export function Drawing({ name }: { name: DrawingName }) {
  return (
    <svg className="drawing" viewBox="0 0 144 112" aria-hidden="true">
      {drawings[name]}
    </svg>
  )
}
