/* The colours of drawn covers: the tokens of the house (`ui/tokens.css`) in sRGB, since a drawing reads no style sheet. */

export type CoverShelf = 'asian' | 'western' | 'banned' | 'unknown' | 'vip'

export interface Inks {
  ground: string
  line: string
  text: string
  solid: string
  title: string
}

const paper = '#282019'
const night = '#ede9e2'

export const inksByDay = {
  asian: { ground: '#f3ebfa', line: '#9e6cc6', text: '#7034a1', solid: '#7d3db2', title: paper },
  western: { ground: '#fdebda', line: '#c97339', text: '#944517', solid: '#aa4f1b', title: paper },
  banned: { ground: '#fce8e7', line: '#d55851', text: '#a52522', solid: '#b72725', title: paper },
  unknown: { ground: '#e7eef3', line: '#758694', text: '#495a6b', solid: '#4f6376', title: paper },
  // The VIP area is the house by evening, by day too.
  vip: { ground: '#2e2511', line: '#987c3c', text: '#e7c778', solid: '#e1b850', title: night },
} as const satisfies Record<CoverShelf, Inks>

export const inksByNight = {
  asian: { ground: '#2b1c39', line: '#8e64b7', text: '#d4aff6', solid: '#c497ee', title: night },
  western: { ground: '#331e11', line: '#a9683f', text: '#f4b37a', solid: '#f09754', title: night },
  banned: { ground: '#3b1818', line: '#bc504c', text: '#f9a19b', solid: '#f07b74', title: night },
  unknown: { ground: '#1e2830', line: '#6c7d8b', text: '#b4c3d0', solid: '#96abbd', title: night },
  vip: inksByDay.vip,
} as const satisfies Record<CoverShelf, Inks>
