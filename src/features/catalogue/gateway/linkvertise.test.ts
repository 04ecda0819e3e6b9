import { constants, createPublicKey, generateKeyPairSync, privateDecrypt, webcrypto } from 'node:crypto'
import { expect, test } from 'vitest'
import { readRsaPublicKey } from '../../../platform/config/rsa-public-key.ts'
import { linkvertiseAddress, splitAtBytes, locationOf } from './linkvertise.server.ts'

const { publicKey: key, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Base64 of 256 bytes. */
const cipherCharacters = 344

/** The parts of an address at Linkvertise: the part that it decrypts, and the part in clear. */
function read(address: string): { decrypted: string; clear: string } {
  const [, r = ''] = /^https:\/\/link-to\.net\/12345\/\d+\/dynamic\/\?r=([^&#]+)&v=2$/.exec(address) ?? []
  const whole = decodeURIComponent(r)
  const cipher = Buffer.from(whole.slice(0, cipherCharacters), 'base64')
  const decrypted = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    cipher,
  )
  return { decrypted: decrypted.toString(), clear: whole.slice(cipherCharacters) }
}

const addressOf = (link: string): string => linkvertiseAddress(link, { account: '12345', key, isRaw: false })

/** A link of so many bytes. */
const linkOf = (bytes: number): string => 'https://mega.nz/file/'.padEnd(bytes, 'abcdefghij')

test.each([
  [22, 22],
  [69, 69],
  [70, 70],
  [71, 70],
  [2_000, 70],
])('of a link of %i bytes the first %i are encrypted, and the rest follows in clear', (bytes, encrypted) => {
  const link = linkOf(bytes)
  expect(read(addressOf(link))).toEqual({ decrypted: link.slice(0, encrypted), clear: link.slice(encrypted) })
})

test.each([
  'https://mega.nz/file/abc#the-key-of-the-file+with/slashes==&and=more?and%20more%2Bescaped',
  `https://mega.nz/${'x'.repeat(60)}?a=1&b=2&v=3#&r=4+5`,
  'https://archive.org/details/三國演義-羅貫中-and-so-many-more-words-that-it-does-not-fit',
  'https://archive.org/details/Les-Misérables',
  `https://archive.org/${'é'.repeat(40)}`,
  `https://archive.org/d${'😀'.repeat(30)}`,
])('%s arrives whole', (link) => {
  const { decrypted, clear } = read(addressOf(link))
  expect(decrypted + clear).toBe(link)
  expect(Buffer.byteLength(decrypted)).toBeLessThanOrEqual(70)
})

test('no character is divided between the two parts', () => {
  // 69 bytes before it: a character of two, three or four bytes belongs to the rest.
  for (const character of ['é', '三', '😀']) {
    const link = linkOf(69) + character + 'end'
    expect(read(addressOf(link))).toEqual({ decrypted: linkOf(69), clear: `${character}end` })
  }
  const link = `${linkOf(68)}éend`
  expect(read(addressOf(link))).toEqual({ decrypted: `${linkOf(68)}é`, clear: 'end' })
  expect(splitAtBytes('😀', 3)).toEqual({ head: '', tail: '😀' })
})

test('without percent-encoding R stands as it is, but for what no header can hold', () => {
  const link = `${linkOf(70)}&key=1+2#三`
  const address = linkvertiseAddress(link, { account: '12345', key, isRaw: true })
  expect(address).toMatch(
    /^https:\/\/link-to\.net\/12345\/\d+\/dynamic\/\?r=[A-Za-z0-9+/]{342}==&key=1\+2#%E4%B8%89&v=2$/,
  )
})

test('another browser library decrypts it as well, and no two addresses of a link are the same', async () => {
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  const imported = await webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'decrypt',
  ])
  const address = addressOf(linkOf(30))
  const cipher = Buffer.from(decodeURIComponent(/r=([^&]+)/.exec(address)?.[1] ?? ''), 'base64')
  const plain = await webcrypto.subtle.decrypt({ name: 'RSA-OAEP' }, imported, cipher)
  expect(Buffer.from(plain).toString()).toBe(linkOf(30))
  expect(addressOf(linkOf(30))).not.toBe(address)
})

test('a key is taken as PEM, with line breaks or without, and as base64; any other key is none', () => {
  const spki = (of: typeof key, format: 'pem' | 'der'): string =>
    format === 'pem'
      ? of.export({ format, type: 'spki' }).toString()
      : of.export({ format, type: 'spki' }).toString('base64')
  const pem = spki(key, 'pem')
  const flat = pem.replaceAll('\n', '')
  for (const text of [pem, flat, pem.replaceAll('\n', String.raw`\n`), spki(key, 'der'), ` ${spki(key, 'der')}\n`])
    expect(readRsaPublicKey(text)?.equals(key), text).toBe(true)
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const secret = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  for (const text of ['', 'no key', 'AAAA', spki(short, 'pem'), spki(curve, 'der'), secret, pem.slice(0, -40)])
    expect(readRsaPublicKey(text), text).toBeUndefined()
  expect(createPublicKey(pem).asymmetricKeyType).toBe('rsa')
})

test.each([
  ['https://mega.nz/file/a#b', 'https://mega.nz/file/a#b'],
  ['https://mega.nz', 'https://mega.nz'],
  ['https://archive.org/三國', 'https://archive.org/%E4%B8%89%E5%9C%8B'],
  ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
])('a header holds %s as %s', (link, location) => {
  expect(locationOf(link)).toBe(location)
})
