import { expect, test } from 'vitest'
import { appConfigOf, readConfig } from '../../../app/config.ts'
import { accountTexts } from '../../accounts/account-texts.ts'
import { type SavedText, SiteTexts } from './site-texts.server.ts'

const saved = (value: string | null): SavedText => ({ value, version: 1, changedAt: new Date(0) })
const environment = readConfig({ BRAND_NAME: 'First Name', CONTACT_EMAIL: 'first@example.org' })

test('the settings never change, and do not hold what administrators may change', () => {
  const settings = appConfigOf(environment)
  const before = JSON.stringify(settings)
  const texts = new SiteTexts(accountTexts, environment)
  texts.use(new Map([['brand.name', saved('Second Name')]]))
  expect(JSON.stringify(settings)).toBe(before)
  expect(Object.isFrozen(settings)).toBe(true)
  expect(Object.keys(settings).filter((name) => name in texts.inForce)).toEqual([])
})

test('the texts in force are those of now, and what somebody has read stays as it was', () => {
  const texts = new SiteTexts(accountTexts, environment)
  const read = texts.inForce
  texts.use(new Map([['brand.name', saved('Second Name')]]))
  expect([read.brandName, texts.inForce.brandName, texts.inForce.contactEmail]).toEqual([
    'First Name',
    'Second Name',
    'first@example.org',
  ])
  texts.use(new Map([['brand.name', saved(null)]]))
  expect(texts.inForce.brandName).toBe('First Name')
})

test('emails go by the name in force, unless the operator has set a sender', () => {
  const named = new SiteTexts(accountTexts, environment)
  const chosen = new SiteTexts(accountTexts, readConfig({ MAIL_FROM: 'Our Post <post@example.org>' }))
  for (const texts of [named, chosen]) texts.use(new Map([['brand.name', saved('Second Name')]]))
  expect([named.sender.name, chosen.sender.name]).toEqual(['Second Name', 'Our Post'])
})
