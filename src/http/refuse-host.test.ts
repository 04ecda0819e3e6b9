import { expect, test } from 'vitest'
import { faultOfHost } from './refuse-host.ts'

function faultAt(publicUrlIsSet: boolean, ...hosts: string[]): [status: number, code: string] | undefined {
  const rawHeaders = hosts.flatMap((host, no) => [no % 2 === 0 ? 'Host' : 'hOST', host])
  const headers = hosts[0] === undefined ? {} : { host: hosts[0] }
  const fault = faultOfHost(
    { publicUrlIsSet },
    { headers, rawHeaders: ['accept', '*/*', ...rawHeaders], httpVersion: '1.1' },
  )
  return fault && [fault.status, fault.code]
}

test.each([
  'localhost',
  'LocalHost:3000',
  'daybook.localhost',
  'a.b.localhost:8080',
  '127.0.0.1',
  '127.9.8.7:3000',
  '[::1]',
  '[::1]:3000',
])('while the address of the site is not set, this machine is answered: %s', (host) => {
  expect(faultAt(false, host)).toBeUndefined()
})

test.each([
  '',
  'evil.example',
  'localhost.evil.example',
  'evillocalhost',
  '.localhost',
  'localhost@evil.example',
  'evil.example#.localhost',
  '127.0.0.1.evil.example',
  '128.0.0.1',
  '10.0.0.1:3000',
  '127.0.0.1:80:80',
  '[::2]',
  '[::ffff:10.0.0.1]',
  '::1',
])('and under no other name: %s', (host) => {
  expect(faultAt(false, host)).toEqual([421, 'host.unknown'])
  expect(faultAt(true, host)).toBeUndefined()
})

test('none, or two of them, are no request, whatever the site is called', () => {
  for (const isSet of [true, false]) {
    expect(faultAt(isSet)).toEqual([400, 'request.unreadable'])
    expect(faultAt(isSet, 'localhost', 'localhost')).toEqual([400, 'request.unreadable'])
    expect(faultAt(isSet, 'localhost', 'evil.example')).toEqual([400, 'request.unreadable'])
  }
  expect(faultOfHost({ publicUrlIsSet: false }, { headers: {}, rawHeaders: [], httpVersion: '1.0' })).toBeUndefined()
})
