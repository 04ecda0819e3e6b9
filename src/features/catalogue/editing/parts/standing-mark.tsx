import { standingNames } from './content-words.ts'

/** A drawing for each, on a grid of 16: how full the disc is says how near the entry is to its readers. */
const drawings: Record<keyof typeof standingNames, string> = {
  draft: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z',
  scheduled: 'M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 5v3.200l2.2 1.3',
  published: 'M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM5.4 8.200l1.8 1.8 3.4-3.8',
  hidden: 'M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM6.5 6v4M9.5 6v4',
  lapsed: 'M4.5 2.500h7M4.5 13.500h7M5.5 2.500c0 3 5 4.5 5 11M10.5 2.500c0 3-5 4.5-5 11',
  removed: 'M8 2.500a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM4.2 4.200l7.6 7.6',
}

export function StandingMark({ standing }: { standing: keyof typeof standingNames }) {
  return (
    <span className="content-standing">
      <svg
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={standing === 'draft' ? 'is-dashed' : undefined}
      >
        <path d={drawings[standing]} />
      </svg>
      {standingNames[standing]}
    </span>
  )
}
