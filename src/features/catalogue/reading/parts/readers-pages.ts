export const readersPages = [
  { path: '/account/saved', title: 'Saved entries', short: 'Saved' },
  { path: '/account/history', title: 'Download history', short: 'Downloads' },
  { path: '/account/searches', title: 'Saved searches', short: 'Searches' },
] as const

export const searchesPath = '/account/saved-searches'
