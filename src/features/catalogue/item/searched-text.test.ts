import { expect, test } from 'vitest'
import { searchedText, titleIn } from './searched-text.ts'

const spelled = (name: string, creators: string[] = []): string =>
  searchedText({ name, creators }).replaceAll('\x1d', '=').replace('\x1f\x1f', ' | ')

test.each([
  ['The Republic', [], 'the republic | '],
  ["Don't look, Vol. 07", ['Jean-Paul Sartre'], "don't=dont look,=look vol.=vol 07=7=007 | jean-paul=jeanpaul sartre"],
  ['Война и мир', ['Лев Толстой'], 'воина=voyna и=i мир=mir | лев=lev толстои=tolstoy'],
  ['紅樓夢', ['曹雪芹'], '紅樓夢=hongloumeng | 曹雪芹=caoxueqin'],
  ["Alice's,", [], "alice's,=alices=alice | "],
  ['Café 100% 007', [], 'cafe 100%=100 007=7=07 | '],
  ['½', [], '1⁄2=12=1=01=001=2=02=002 | '],
])('%s by %j is searched as %s', (name, creators, expected) => {
  expect(spelled(name, creators)).toBe(expected)
  expect(titleIn(searchedText({ name, creators }))).not.toMatch(/[\x1d\x1f]/)
})

test('the title can be read back without its spellings', () => {
  expect(titleIn(searchedText({ name: "Don't look, Vol. 07", creators: ['Лев'] }))).toBe("don't look, vol. 07")
})
