/** Private, of one person, or an act: search engines have no business there. */
const disallowed = [
  '/go/',
  '/account',
  '/admin',
  '/admin-',
  '/report',
  '/feeds/private/',
  '/login',
  '/register',
  '/reset-password',
  '/forgot-password',
  '/*?*search=',
]

/** `/robots.txt` (RFC 9309). */
export function robotsText(publicUrl: string): string {
  const lines = [
    'User-agent: *',
    ...disallowed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ]
  return `${lines.join('\n')}\n`
}
