/** Line drawings on a grid of 20; they grow with the text (`size` is in pixels of the usual text) and inherit the colour of the text beside them and are silent to screen readers. */
const paths = {
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM13 13l4 4',
  close: 'm5 5 10 10M15 5 5 15',
  menu: 'M3 6h14M3 10h14M3 14h9',
  filters: 'M3 6h14M6 10h8M8.5 14h3',
  sun: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.8v1.7M10 16.5v1.7M1.8 10h1.7M16.5 10h1.7M4.2 4.2l1.2 1.2M14.6 14.6l1.2 1.2M15.8 4.2l-1.2 1.2M5.4 14.6l-1.2 1.2',
  moon: 'M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7Z',
  download: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12',
  back: 'M12 4.5 6.5 10l5.5 5.5',
  on: 'm8 4.5 5.5 5.5L8 15.5',
  check: 'm4 10.5 4 4 8-9',
  down: 'm5.5 8 4.5 4.5L14.5 8',
  crown: 'M3.5 15.5h13M3.5 12.5 2.5 5.5l4 3 3.5-5 3.5 5 4-3-1 7Z',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14ZM10 6.200V10l2.600 1.600',
  alarm: 'M10 3.200 2.600 16.500h14.800ZM10 8.200v3.600M10 14.200v.1',
  shield: 'M10 2.5 4 4.5v5c0 3.5 2.4 6.3 6 8 3.6-1.7 6-4.5 6-8v-5Z',
} as const

export type IconName = keyof typeof paths

export function Icon({ name, size = 20 }: { name: IconName; size?: 12 | 16 | 20 | 24 }) {
  return (
    <svg
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="icon"
    >
      <path d={paths[name]} />
    </svg>
  )
}
