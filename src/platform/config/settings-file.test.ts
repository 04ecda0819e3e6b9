import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parseSettings, readPlaces, SettingsFileError } from './settings-file.ts'

describe('the grammar of a settings file', () => {
  const read = (content: string) => parseSettings(content, '/etc/daybook.env')

  test("is that of Node's parseEnv", () => {
    const content =
      String.raw`# A comment
PORT=4000
  HOST = 127.0.0.1   # the rest is a comment
EMPTY=
BLANK=
BRAND_NAME="The # Library"
MAIL_FROM='Library <desk@library.example>'
KEY="one\ntwo"
RAW='one\ntwo'
TICKS=` +
      '`it\'s "so"`\n' +
      `PEM="-----BEGIN
-----END"
MIDDLE=a"b'c
LAST=x=y`
    expect(read(content)).toEqual(parseEnv(content))
    expect(read(content)).toMatchObject({ PORT: '4000', HOST: '127.0.0.1', KEY: 'one\ntwo', LAST: 'x=y', EMPTY: '' })
  })

  test.each([
    ['export PORT=4000\nexport  HOST=::1', { PORT: '4000', HOST: '::1' }],
    ['PORT=4000\r\nHOST=::1\r\n', { PORT: '4000', HOST: '::1' }],
    ['\uFEFFPORT=4000', { PORT: '4000' }],
    // Node itself takes the next line for the value here.
    ['PORT= \nHOST=::1', { PORT: '', HOST: '::1' }],
    ['PORT=1\nPORT=2', { PORT: '2' }],
    ['', {}],
    ['\n\n# nothing\n', {}],
  ])('%j', (content, values) => {
    expect(read(content)).toEqual(values)
  })

  test.each([
    ['PORT 4000', [1]],
    ['PORT=4000\n\nPORT: 4000\nexport PORT\nHOST=::1\nset DEMO=0', [3, 4, 6]],
    ['# secret\nSMTP_URL="smtp://u:hush@mail', [2]],
    ['PORT="4000" hush', [1]],
    ['KEY="one\ntwo"\nhush', [3]],
    ['=hush', [1]],
  ])('refuses %j with the numbers of its lines, and repeats none', (content, lines) => {
    const sentences = lines.map(
      (line) => `/etc/daybook.env, line ${line}: here must stand NAME=value, a comment or nothing.`,
    )
    expect(() => read(content)).toThrow(new SettingsFileError(sentences.join('\n')))
  })

  test('names no other file', () => {
    expect(() => read('DAYBOOK_ENV=/elsewhere')).toThrow(
      '/etc/daybook.env: DAYBOOK_ENV is read from the environment alone.',
    )
  })
})

describe('the settings file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-settings-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, content: string): string => {
    const path = join(folder, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, content)
    return path
  }
  const nowhere = join(folder, 'nowhere')
  const own = file('own/daybook.env', 'PORT=1')
  const ofData = file('data/daybook.env', 'PORT=2')
  const machines = file('etc/daybook.env', 'PORT=3')
  const DATA_DIR = join(folder, 'data')

  test.each([
    ['that of DAYBOOK_ENV', { DAYBOOK_ENV: own, DATA_DIR }, machines, own],
    ['else that of the data directory', { DAYBOOK_ENV: ' ', DATA_DIR }, machines, ofData],
    ["else the machine's", { DATA_DIR: nowhere }, machines, machines],
    ["the machine's also where the data directory is a file", { DATA_DIR: machines }, machines, machines],
    ['none where none is there', { DATA_DIR: nowhere }, nowhere, undefined],
  ])('is %s, alone, behind the environment', (_which, env, machinesFile, expected) => {
    const places = readPlaces(env, machinesFile)
    expect(places[0]).toEqual({ name: 'environment', values: env })
    expect(places.slice(1).map(({ name }) => name)).toEqual(expected === undefined ? [] : [expected])
  })

  test('stops the start where DAYBOOK_ENV names none, and where it cannot be read', () => {
    expect(() => readPlaces({ DAYBOOK_ENV: nowhere, DATA_DIR }, machines)).toThrow(
      `DAYBOOK_ENV must be the path of a text file that can be read. It is "${nowhere}".`,
    )
    expect(() => readPlaces({ DAYBOOK_ENV: folder }, machines)).toThrow(
      `The settings file ${folder} cannot be read: EISDIR`,
    )
    mkdirSync(join(folder, 'odd', 'daybook.env'), { recursive: true })
    expect(() => readPlaces({ DATA_DIR: join(folder, 'odd') }, machines)).toThrow(SettingsFileError)
  })

  test.skipIf(process.getuid?.() === 0)('stops it also where it is closed to this user', () => {
    chmodSync(ofData, 0o000)
    expect(() => readPlaces({ DATA_DIR }, machines)).toThrow(
      /cannot be read: EACCES.+ Run this as the user of the server/,
    )
  })

  test.skipIf(process.getuid?.() === 0)(
    'is the machine’s where a command is typed in a folder that is closed to its user',
    () => {
      const closed = join(folder, 'closed')
      mkdirSync(closed)
      const before = process.cwd()
      process.chdir(closed)
      chmodSync(closed, 0o000)
      try {
        expect(readPlaces({}, machines)[1]?.name).toBe(machines)
      } finally {
        chmodSync(closed, 0o700)
        process.chdir(before)
      }
    },
  )
})
