import { expect, test } from 'vitest'
import { readablePath } from './readable-path.ts'

test.each(['/', '/western/ugetsu', '/asian/%E7%B4%85', '/western/100%25', '/a%2Fb', '/asian/紅'])(
  'a path that can be decoded stays as it is (%s)',
  (path) => expect(readablePath(path)).toBe(path),
)

test.each(['/%', '/western/%E0%A4%A', '/asian/%ff%fe', '/admin/billing/%zz/', '/western/%E0%A4%A.data'])(
  'another becomes a single part that can be decoded, and says what was asked (%s)',
  (path) => {
    const readable = readablePath(path)
    expect(decodeURIComponent(readable.slice(1))).toBe(path.slice(1))
    expect(readable.lastIndexOf('/')).toBe(0)
    expect(readablePath(readable)).toBe(readable)
    // As browsers and the server write addresses.
    expect(new URL(readable, 'http://localhost').pathname).toBe(readable)
  },
)
