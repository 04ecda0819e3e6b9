import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { AppError } from '../../platform/errors.ts'
import { plainPage } from './plain-page.ts'

test('A plain page says what to do, names no file, is too short to be compressed, and its policy allows its own style alone', () => {
  const tooMany = new AppError({ code: 'limit.exceeded', status: 429, message: 'Please try again in <1> minute.' })
  const page = plainPage(tooMany, 'If this cannot wait, write to desk@library.example & call.')
  const html = page.ready('identity')?.toString() ?? ''
  expect(page.status).toBe(429)
  expect(html).toContain('<p>Please try again in &lt;1&gt; minute.</p>')
  expect(html).toContain('<p>If this cannot wait, write to desk@library.example &amp; call.</p>')
  expect(html).not.toMatch(/ (?:src|href)="[^"]/)
  expect(html.length).toBeLessThan(1_024)
  const [, style = ''] = /<style>(.*?)<\/style>/.exec(html) ?? []
  expect(page.headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
})
