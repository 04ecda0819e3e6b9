/** The pages of what the library remembers for a reader. */
export const readersPages = [
  { path: '/account/saved', title: 'Saved entries', short: 'Saved' },
  { path: '/account/history', title: 'Download history', short: 'Downloads' },
  { path: '/account/searches', title: 'Saved searches', short: 'Searches' },
] as const

/** Where the saved searches of the interface begin. */
export const searchesPath = '/account/saved-searches'
