import { expect, test } from 'vitest'
import { rendered } from '../../../../tests/harness/rendered.ts'
import { DeleteAccountDialog } from './delete-account-dialog.tsx'

function shown() {
  const nothing = (): void => undefined
  return rendered(
    <DeleteAccountDialog
      profile={{ email: 'jane@readers.example' }}
      losses={<li>a loss of another feature</li>}
      notes={<p>A note of another feature.</p>}
      onDeleted={nothing}
      onLeave={nothing}
      onClose={nothing}
    />,
  )
}

test('The question before an account is deleted names the account and everything that a free member loses', () => {
  const { html, text } = shown()
  expect(text).toContain(
    'This deletes the account of jane@readers.example at once and for good. What is lost: your name, your address and your password',
  )
  expect(text).toContain("Type 'delete my account' to confirm")
  // Nothing is typed yet: it cannot be meant.
  expect(html).toMatch(/<button type="submit"[^>]* disabled=""/)
})

test('The question before an account is deleted says what the other features lose and keep', () => {
  const { text } = shown()
  expect(text).toContain('your password a loss of another feature')
  expect(text).toContain('A note of another feature.')
})
