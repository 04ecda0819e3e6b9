import { expect, test } from 'vitest'
import { readConfig } from '../../../app/config.ts'
import { moneyInWords } from '../plans/format-money.ts'
import { plans } from '../plans/plans.ts'
import { declareLegalTexts } from './legal-texts.server.ts'

async function draftsOf(env: Record<string, string>): Promise<Record<string, string>> {
  const config = readConfig(env)
  const texts = await declareLegalTexts(config)
  return Object.fromEntries(texts.map((text) => [text.key, 'first' in text ? text.first(config) : '']))
}

test('the draft of the terms names the prices that are charged', async () => {
  const { 'legal.terms': terms } = await draftsOf({})
  for (const { priceCents, currency, interval } of Object.values(plans))
    expect(terms).toContain(`${moneyInWords(priceCents, currency)} a ${interval}`)
})

test('the draft of the privacy policy names everything that is kept, and who else learns of it', async () => {
  const { 'legal.privacy': privacy } = await draftsOf({ AUDIT_DAYS: '120', NOTICE_DAYS: '730' })
  for (const word of ['notes', 'audit log', '120 days', '730 days', 'requests', 'votes', 'inquiries', '400 days after'])
    expect(privacy).toContain(word)
  expect(privacy?.match(/app passwords and private feeds/gi)).toHaveLength(2)
  expect(privacy).not.toContain('form service')
  expect(privacy).toContain('There is no advertising')
  const { 'legal.privacy': withForm } = await draftsOf({ SUPPORT_FORM_URL: 'https://forms.example/f/1' })
  expect(withForm).toContain('form service at forms.example')
})
