import { describe, expect, it, test } from 'vitest'
import { blockingFingerprintsOf, fingerprintsOf } from './link-fingerprints.server.ts'
import { namesOneFile, spellingsOf } from './link-spellings.ts'

/** Whether a link is refused after another one was removed. */
const isMet = (removed: string, saved: string): boolean =>
  spellingsOf(saved).includes(spellingsOf(removed)[0] as string)

describe('Two spellings of one link', () => {
  it.each([
    ['https://files.example/works/alice.zip', 'http://files.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://user:word@files.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'http://files.example:443/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https:\\\\files.example\\works\\alice.zip'],
    ['https://files.example/works/alice.zip', 'https:/files.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'ht\ntps://files.exa\tmple/works/al\r\nice.zip'],
    ['https://files.example/works/alice.zip', 'https://fi\u00ADles.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files%2Eexample/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.%65xample/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files\u3002example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://\uFF46iles.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.example/../x/%2e%2e/works/alice.zip'],
    ['https://files.example/get?id=5', 'https://files.example/get?%69d=%35'],
    ['https://files.example/~ada/a', 'https://files.example/%7Eada/a'],
    ['https://bücher.example/a', 'https://bu\u0308cher.example/a'],
    ['https://bücher.example/a', 'https://B%C3%9CCHER.example/a'],
    ['https://203.0.113.7/a', 'https://3405803783/a'],
    ['https://[2001:db8::1]/a', 'https://[2001:0DB8:0:0:0:0:0:1]/a'],
    ['https://mega.nz/file/AbC123xy#key', 'https://MEGA.NZ./FILE/AbC123xy'],
    [
      'https://drive.google.com/file/d/1aBcDeFgHiJkLmNo/view',
      'https://www.googleapis.com/drive/v3/files/1aBcDeFgHiJkLmNo?alt=media',
    ],
    ['https://www.dropbox.com/s/abc123/alice.zip?dl=0', 'https://dl.dropbox.com/S/abc123/other.zip'],
    ['https://www.mediafire.com/file/abcdef123456789/a.zip/file', 'https://mfi.re/file/ABCDEF123456789'],
    ['https://files.example/works/alice.zip', 'HTTPS://FILES.EXAMPLE/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://www.files.example/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.example./works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.example:443/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'http://files.example:80/works/alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.example/works/alice.zip#page=3'],
    ['https://files.example/works/alice.zip', 'https://files.example/works/alice.zip?dl=1'],
    ['https://files.example/works/alice.zip', 'https://files.example/works/alice.zip?'],
    ['https://files.example/works/alice.zip', 'https://files.example/works/./x/../alice.zip'],
    ['https://files.example/works/alice.zip', 'https://files.example//works/alice.zip/'],
    ['https://files.example/works/alice.zip', 'https://files.example/%77orks/%61lice%2Ezip'],
    ['https://files.example/works/alice.zip?a=1', 'https://files.example/works/alice.zip?b=2'],
    ['https://files.example/works/alice', 'https://files.example/works/alice?utm_source=list&fbclid=abc'],
    ['https://files.example/get?id=5&x=1', 'https://files.example/get?x=1&id=5'],
    ['https://files.example/get?id=5', 'https://files.example/get?id=5&utm_medium=mail#top'],
    ['https://files.example/get?name=a+b', 'https://files.example/get?name=a%20b'],
    ['https://files.example/caf%C3%A9', 'https://files.example/café'],
    ['https://files.example/caf%c3%a9', 'https://files.example/cafe%CC%81'],
    ['https://bücher.example/a', 'https://xn--bcher-kva.example/a'],
    ['https://203.0.113.7/a', 'https://0xcb007107/a'],
    ['https://files.example/#/file/7', 'https://www.files.example/#/file/7'],
    ['https://files.example/100%', 'https://files.example/100%25'],
    ['https://mega.nz/file/AbC123xy#secretkey', 'https://mega.nz/#!AbC123xy!secretkey'],
    ['https://mega.nz/file/AbC123xy#secretkey', 'https://mega.co.nz/#!AbC123xy'],
    ['https://mega.nz/file/AbC123xy#secretkey', 'https://mega.nz/file/AbC123xy'],
    ['https://mega.nz/file/AbC123xy#secretkey', 'https://mega.nz/embed/AbC123xy#secretkey'],
    ['https://mega.nz/folder/AbC123xy#key', 'https://mega.nz/#F!AbC123xy!key'],
    ['https://mega.nz/folder/AbC123xy#key/file/NoDe1234', 'https://mega.nz/#F!AbC123xy!key!NoDe1234'],
    [
      'https://drive.google.com/file/d/1aBcDeFgHiJkLmNo/view?usp=sharing',
      'https://drive.google.com/uc?export=download&id=1aBcDeFgHiJkLmNo',
    ],
    [
      'https://drive.google.com/open?id=1aBcDeFgHiJkLmNo',
      'https://drive.usercontent.google.com/download?id=1aBcDeFgHiJkLmNo&confirm=t',
    ],
    ['https://drive.google.com/file/u/1/d/1aBcDeFgHiJkLmNo/preview', 'https://docs.google.com/uc?id=1aBcDeFgHiJkLmNo'],
    [
      'https://docs.google.com/document/d/1aBcDeFgHiJkLmNo/edit#heading=h.1',
      'https://docs.google.com/document/d/1aBcDeFgHiJkLmNo/export?format=pdf',
    ],
    [
      'https://drive.google.com/drive/folders/1aBcDeFgHiJkLmNo?usp=sharing',
      'https://drive.google.com/drive/u/0/folders/1aBcDeFgHiJkLmNo',
    ],
    ['https://www.dropbox.com/s/abc123/alice.zip?dl=0', 'https://dl.dropboxusercontent.com/s/abc123/alice.zip'],
    [
      'https://www.dropbox.com/scl/fi/abc123/alice.zip?rlkey=x&dl=0',
      'https://www.dropbox.com/scl/fi/abc123/renamed.zip?rlkey=y&dl=1',
    ],
    ['https://www.mediafire.com/file/abcdef123456789/alice.zip/file', 'https://mediafire.com/?abcdef123456789'],
    [
      'https://www.mediafire.com/file/abcdef123456789/alice.zip/file',
      'https://download1502.mediafire.com/pass99/abcdef123456789/alice.zip',
    ],
    ['https://pixeldrain.com/u/AbCd1234', 'https://pixeldrain.com/api/file/AbCd1234?download'],
    ['https://pixeldrain.com/u/AbCd1234', 'https://pixeldra.in/u/AbCd1234'],
    ['https://gofile.io/d/AbC123', 'https://gofile.io/?c=AbC123'],
    ['https://1fichier.com/?abc12345xyz&af=12', 'https://www.1fichier.com/?abc12345xyz'],
    ['https://archive.org/details/alice_librivox', 'https://www.archive.org/download/alice_librivox'],
    [
      'https://archive.org/download/alice_librivox/alice_01.mp3',
      'https://ia800301.us.archive.org/12/items/alice_librivox/alice_01.mp3',
    ],
    [
      'https://github.com/Owner/Project/releases/download/v1/alice.zip',
      'https://github.com/owner/project/releases/download/v1/alice.zip?x=1',
    ],
    [
      'https://github.com/owner/project/blob/main/books/alice.txt',
      'https://raw.githubusercontent.com/owner/project/refs/heads/main/books/alice.txt',
    ],
  ])('%s is %s', (one, other) => {
    expect(spellingsOf(one)).not.toEqual([])
    expect(isMet(one, other)).toBe(true)
    expect(isMet(other, one)).toBe(true)
  })
})

describe('Two files', () => {
  it.each([
    ['https://files.example/get?id=5', 'https://files.example/get?id=6'],
    ['https://files.example/view?AbC', 'https://files.example/view?abc'],
    ['https://files.example/get?ID=5', 'https://files.example/get?id=6'],
    ['https://www.example/a', 'https://files.example/a'],
    [
      'https://www.googleapis.com/drive/v3/files/1aBcDeFgHiJkLmNo',
      'https://www.googleapis.com/books/v1/volumes/1aBcDeFgHiJkLmNo',
    ],
    ['https://files.example/download.php?file=a', 'https://files.example/download.php?file=b'],
    ['https://files.example/?a1b2c3', 'https://files.example/?d4e5f6'],
    ['https://files.example/view?f4711', 'https://files.example/view?f4712'],
    ['https://files.example/folder?doc=1', 'https://files.example/folder?doc=2'],
    ['https://files.example/works/alice', 'https://files.example/works/Alice'],
    ['https://files.example/works/a', 'https://files.example:8443/works/a'],
    ['https://one.files.example/a', 'https://two.files.example/a'],
    ['https://files.example/#/file/7', 'https://files.example/#/file/8'],
    ['https://mega.nz/file/AbC123xy#key', 'https://mega.nz/file/abc123xy#key'],
    ['https://mega.nz/#!AbC123xy!key', 'https://mega.nz/#!XyZ98765!key'],
    ['https://mega.nz/folder/AbC123xy#key/file/One', 'https://mega.nz/folder/AbC123xy#key/file/Two'],
    ['https://mega.nz.files.example/file/AbC123xy', 'https://mega.nz/file/AbC123xy'],
    ['https://drive.google.com/uc?id=1aBcDeFgHiJkLmNo', 'https://drive.google.com/uc?id=9zYxWvUtSrQpOnMl'],
    ['https://mediafire.com/?abcdef123456789', 'https://mediafire.com/?zyxwvu987654321'],
    ['https://1fichier.com/?abc12345xyz', 'https://1fichier.com/?zyx54321cba'],
    ['https://archive.org/download/collection/one.pdf', 'https://archive.org/download/collection/two.pdf'],
    ['https://www.dropbox.com/sh/a/b?preview=one.pdf', 'https://www.dropbox.com/sh/a/b?preview=two.pdf'],
    ['https://www.youtube.com/watch?v=abcdefg', 'https://www.youtube.com/watch?v=hijklmn'],
    ['https://www.gutenberg.org/ebooks/11', 'https://www.gutenberg.org/ebooks/12'],
  ])('%s is not %s', (one, other) => {
    expect(isMet(one, other)).toBe(false)
    expect(isMet(other, one)).toBe(false)
  })
})

const driveId = '1aBcDeFgHiJkLmNo'
const alice = 'https://files.example.org/books/alice'

describe('After a removal', () => {
  it.each([
    [`https://drive.google.com/file/d/${driveId}/view`, `https://drive.google.com/file/d/${driveId}%20/view`],
    [`https://drive.google.com/file/d/${driveId}/view`, `https://drive.google.com/open?id=${driveId}%20`],
    ['https://mega.nz/file/AbC123xy', 'https://mega.nz/en/file/AbC123xy'],
    ['https://mega.nz/file/AbC123xy', 'https://mega.nz/pt-BR/file/AbC123xy#key'],
    ['https://mega.nz/folder/AbC123xy#key', 'https://mega.nz/folder/AbC123xy#key/file/NoDe1234'],
    ['https://pixeldrain.com/u/AbCd1234', 'https://pixeldrain.dev/u/AbCd1234'],
    ['https://pixeldrain.com/l/AbCd1234', 'https://pixeldrain.com/l/AbCd1234#item=2'],
    ['https://www.mediafire.com/file/abcdef123456789/alice.zip/file', 'https://app.mediafire.com/abcdef123456789'],
    ['https://mediafire.com/?abcdef123456789', 'https://mediafire.com/?a=&abcdef123456789'],
    ['https://1fichier.com/?abc12345xyz', 'https://1fichier.com/?a=&abc12345xyz'],
    ['https://archive.org/details/alice_librivox', 'https://archive.org/details/alice_librivox/page/n5'],
    [
      'https://archive.org/details/alice_librivox/page/n5',
      'https://archive.org/details/alice_librivox/page/n9/mode/2up',
    ],
    ['https://archive.org/details/alice_librivox', 'https://archive.org/download/alice_librivox/alice_01.mp3'],
    ['https://archive.org/details/alice_librivox', 'https://ia800301.us.archive.org/12/items/alice_librivox/cd/01.mp3'],
    ['https://www.youtube.com/watch?v=abcdefg', 'https://www.youtube.com/e/abcdefg'],
    ['https://www.youtube.com/watch?v=abcdefg', 'https://www.youtube.com/embed/abcdefg?v=hijklmn'],
    ['https://www.dropbox.com/sh/a/b', 'https://www.dropbox.com/sh/a/b?preview=one.pdf'],
    [
      'https://github.com/owner/project/tree/main/books',
      'https://raw.githubusercontent.com/owner/project/main/books/a.txt',
    ],
  ])('of %s, %s is refused', (removed, given) => {
    expect(isMet(removed, given)).toBe(true)
  })

  it.each([
    ['https://files.example.org/get?id=5', 'https://files.example.org/get?id=6'],
    ['https://files.example.org/get?id=5', 'https://files.example.org/get?id=6&x=5'],
    ['https://files.example.org/get?id=5', 'https://files.example.org/get'],
    ['https://files.example.org/get?id=5&x=1', 'https://files.example.org/get?id=6&x=1'],
    ['https://files.example.org/get?id=5&page=1', 'https://files.example.org/get?id=6&page=1'],
    ['https://files.example.org/get?id=5&page=1', 'https://files.example.org/get?id=5&page=2'],
    ['https://files.example.org/get?id=5', 'https://files.example.org/other?id=5'],
    ['https://files.example.org/get', 'https://files.example.org/get?id=6'],
    ['https://files.example.org/download.php', 'https://files.example.org/download.php?id=6'],
    ['https://files.example.org/download.php?dl=1', 'https://files.example.org/download.php?id=6&dl=1'],
    ['https://files.example.org/', 'https://files.example.org/?id=6'],
    ['https://files.example.org/', alice],
    ['https://files.example.org/folder?doc=1', 'https://files.example.org/folder'],
    ['https://files.example.org/folder?flu', 'https://files.example.org/folder?plague'],
    ['https://archive.org/download/collection/one.pdf', 'https://archive.org/details/collection'],
    ['https://archive.org/download/collection', 'https://archive.org/download/collection2/one.pdf'],
    ['https://mega.nz/folder/AbC123xy#key/file/One', 'https://mega.nz/folder/AbC123xy#key'],
    ['https://www.mediafire.com/file/abcdef123456789/alice.zip', 'https://www.mediafire.com/developers'],
    [
      'https://github.com/owner/project/blob/main/books/a.txt',
      'https://github.com/owner/project/blob/main/books/b.txt',
    ],
    ['https://www.youtube.com/watch?v=abcdefg&list=hijklmn', 'https://www.youtube.com/watch?v=hijklmn'],
  ])('of %s, %s stays free', (removed, given) => {
    expect(isMet(removed, given)).toBe(false)
  })
})

test('what is no address has no spelling, and no text breaks it', () => {
  for (const text of ['', 'ftp://files.example/a', 'no address', 'http://', 'https://%'])
    expect(spellingsOf(text)).toEqual([])
  for (const text of ['https://h.example/%ff%', 'https://h.example/?%ff=%', 'https://mega.nz/#!!!'])
    expect(spellingsOf(text)).not.toEqual([])
})

test('a file of a host is told from its pages, to which dead links lead', () => {
  for (const address of [
    'https://files.example/works/alice.zip',
    'https://mega.nz/file/AbC123xy',
    'https://h.example/a?id=3',
  ])
    expect(namesOneFile(address)).toBe(true)
  for (const address of [
    'https://files.example/',
    'https://files.example/login?next=a',
    'https://files.example/404.html',
    'https://mega.nz/',
    'none',
  ])
    expect(namesOneFile(address)).toBe(false)
})

test('a fingerprint is a bigint of the database, and the exact text is one of them', () => {
  const found = fingerprintsOf('https://files.example/works/alice.zip?dl=1')
  expect(found.length).toBeLessThan(6)
  expect(found).toEqual(expect.arrayContaining(blockingFingerprintsOf('https://files.example/works/alice.zip?dl=1')))
  for (const each of found) expect(BigInt.asIntN(64, BigInt(each)).toString()).toBe(each)
})
