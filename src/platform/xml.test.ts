import { expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import { xmlElement, xmlText } from './xml.ts'

test.each([
  ['markup', `<b>"A" & 'B'</b>`, '&#60;b&#62;&#34;A&#34; &#38; &#39;B&#39;&#60;/b&#62;'],
  ['the end of a section', 'x]]>y', 'x]]&#62;y'],
  ['control characters', 'a\0b\u0008c\u000bd\u001fe\u007f', 'abcde\u007f'],
  ['no characters', 'a\ufffeb\uffffc', 'abc'],
  ['half of a character', 'a\ud83db\udc4dc', 'a\ufffdb\ufffdc'],
  ['every script', 'Толстой 紅樓夢 \u{1f44d}\tand\nlines', 'Толстой 紅樓夢 \u{1f44d}\tand\nlines'],
])('%s in a text harms no document', (_kind, text, written) => {
  expect(xmlText(text)).toBe(written)
})

test('no character of Unicode breaks a document', async () => {
  let text = ''
  for (let unit = 0; unit < 0x11_000; unit += 1) text += String.fromCodePoint(unit)
  const document = `<a b="${xmlText(text)}">${xmlText(text)}</a>`
  expect(await validateXML({ xml: document, normalization: 'c14n' })).toMatchObject({ errors: [], valid: true })
})

test('an element without a text is none', () => {
  expect(xmlElement('title', undefined)).toBe('')
  expect(xmlElement('title', 'A & B')).toBe('<title>A &#38; B</title>')
})
