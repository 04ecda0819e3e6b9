import { expect, test } from 'vitest'
import { rendered } from '../../../../tests/harness/rendered.ts'
import type { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { ProfileCard } from './profile-card.tsx'

const profile: AccountForMember = {
  name: 'Jane Reader',
  email: 'jane@readers.example',
  isEmailConfirmed: true,
  requestedEmail: null,
  emailStop: null,
  hasPrivateFeed: false,
  profileImage: null,
  createdAt: '2024-03-15T12:00:00Z',
  isVip: false,
  isAdmin: false,
  needsSecondFactor: false,
  vipExpirationDate: null,
}

test('The profile of a free member says who they are, since when, and what they have', () => {
  const { html, text } = rendered(<ProfileCard profile={profile} />)
  expect(text).toBe('JR Jane Reader jane@readers.example Member since March 15, 2024 Free Member')
  expect(html).toMatch(/<h1><bdi>Jane Reader<\/bdi><\/h1>/)
})

test.each([
  [{ isVip: true }, 'VIP Member'],
  [{ isAdmin: true }, 'Free Member Administrator'],
  [{ isVip: true, isAdmin: true }, 'VIP Member Administrator'],
])('The profile of a member with %j names %s', (roles, badges) => {
  expect(rendered(<ProfileCard profile={{ ...profile, ...roles }} />).text).toMatch(new RegExp(`2024 ${badges}$`))
})

test('The portrait has one character for a name without blanks, and a figure for a name without letters', () => {
  expect(rendered(<ProfileCard profile={{ ...profile, name: '曹雪芹' }} />).text).toMatch(/^曹 曹雪芹 /)
  expect(rendered(<ProfileCard profile={{ ...profile, name: '…' }} />).text).toMatch(/^… jane@/)
})

test('A picture takes the place of the initials', () => {
  const { html, text } = rendered(<ProfileCard profile={{ ...profile, profileImage: '/pictures/jane.png' }} />)
  expect(html).toContain('src="/pictures/jane.png" alt=""')
  expect(text).toMatch(/^Jane Reader /)
})
