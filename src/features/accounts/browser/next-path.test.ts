import { describe, expect, test } from 'vitest'
import { safeNextPath } from './next-path.ts'

const origin = 'https://library.example'

describe('the page to return to', () => {
  test.each([
    '/',
    '/vip-asian/hong-lou-meng',
    '/account',
    '/western?month=03&search=%E7%B4%85#entries',
    '/admin/settings?tab=vip',
    '/login-history',
    '/western?from=https://other.example/',
  ])('is %s', (path) => {
    expect(safeNextPath(path, origin)).toBe(path)
  })

  test.each([
    ['nothing', undefined],
    ['nothing', null],
    ['nothing', ''],
    ['another site', 'https://other.example/'],
    ['another host', '//other.example/'],
    ['another host', '///other.example/'],
    ['another host, by a backslash', '/\\other.example/'],
    ['another host, by a backslash', '\\\\other.example/'],
    ['another host, by a tab', '/\t/other.example/'],
    ['another host, by a line break', '/\n/other.example/'],
    ['another host, once read', '/.//other.example/'],
    ['another host, once read', '/%2e//other.example/'],
    ['another host, once read', '/western/..//other.example/'],
    ['a script', 'javascript:alert(1)'],
    ['a path without its slash', 'account'],
    ['a blank before a host', ' //other.example/'],
    ['the site itself, written out', `${origin}/account`],
    ['the login', '/login'],
    ['the login, with a page of its own', '/login?next=/login'],
    ['the login in other letters', '/LOGIN/'],
    ['the login, encoded', '/%6Cogin'],
    ['the registration', '/register'],
    ['a page for forgotten passwords', '/forgot-password'],
    ['a page for new passwords', '/reset-password?token=x'],
  ])('is never %s (%j)', (_what, value) => {
    expect(safeNextPath(value, origin)).toBe('/')
  })

  test.each([
    ['/western/%E0%A4%A?x=%ff', '/western%2F%25E0%25A4%25A?x=%ff'],
    ['/western#%ff', '/western'],
  ])('is one that the router can read (%s)', (value, path) => {
    expect(safeNextPath(value, origin)).toBe(path)
  })

  test("is the home page when the site's own address is not known", () => {
    expect(safeNextPath('/account', 'null')).toBe('/')
  })
})
