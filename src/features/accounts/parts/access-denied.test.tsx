import type { ComponentProps } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { fromHtml } from '../../../../tests/harness/rendered.ts'
import { AccessDenied } from './access-denied.tsx'

const signInPath = '/login?next=%2Fvip'
const forVips = 'This content is exclusively available to VIP members.'

function shown(caller: Pick<ComponentProps<typeof AccessDenied>, 'access' | 'isSignedIn'>) {
  const router = createMemoryRouter(
    [{ id: 'root', path: '*', element: <AccessDenied {...caller} signInPath={signInPath} /> }],
    { hydrationData: { loaderData: { root: { accessDeniedMessage: forVips } } } },
  )
  return fromHtml(renderToString(<RouterProvider router={router} />))
}

test('A shut page for VIPs says what they have, and leads to signing in, to the plans and home', () => {
  const { text, hrefs } = shown({ access: 'vip', isSignedIn: false })
  expect(text).toContain(
    `You are not a VIP to access this page. ${forVips} Premium Content Full Access Priority Support`,
  )
  expect(hrefs).toEqual([signInPath, '/plans', '/'])
  expect(shown({ access: 'vip', isSignedIn: true }).hrefs).toEqual(['/plans', '/'])
})

test('A shut page for administrators offers no membership, and to a member another account', () => {
  const guest = shown({ access: 'admin', isSignedIn: false })
  expect(guest.text).toContain('You are not an administrator to access this page.')
  expect(guest.hrefs).toEqual([signInPath, '/'])
  const member = shown({ access: 'admin', isSignedIn: true })
  expect(member.text).toContain('Sign in with another account')
  expect(member.hrefs).toEqual(['/'])
})
