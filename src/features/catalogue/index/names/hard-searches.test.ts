import { expect, test } from 'vitest'
import { foldText, wordsOf } from '../../item/name-text.ts'
import { searchedText } from '../../item/searched-text.ts'
import { didYouMean } from './did-you-mean.server.ts'
import { NameIndex } from './name-index.server.ts'
import { SegmentBuilder } from './name-segment.server.ts'
import { pageByFit } from './rank-by-fit.server.ts'

/* Searches as people type them, over works that are easily taken for each other. The last ones are the newest. */

const works: { name: string; creators: string[]; alsoKnownAs?: string[]; series?: string; tags?: string[] }[] = [
  { name: 'The Republic', creators: ['Plato', 'Benjamin Jowett'], tags: ['Utopias'] },
  { name: 'Ion', creators: ['Plato', 'Benjamin Jowett'] },
  { name: 'Emma', creators: ['Jane Austen'] },
  { name: 'Pride and Prejudice', creators: ['Jane Austen'] },
  { name: 'She', creators: ['H. Rider Haggard'] },
  { name: 'Hamlet', creators: ['William Shakespeare'] },
  { name: "A Doll's House : a play", creators: ['Henrik Ibsen'] },
  { name: "Tess of the d'Urbervilles: A Pure Woman", creators: ['Thomas Hardy'] },
  { name: 'Les Misérables', creators: ['Victor Hugo'] },
  { name: 'War and Peace', creators: ['Leo Tolstoy', 'Louise Maude'] },
  { name: 'Война и мир', creators: ['Лев Толстой'] },
  { name: 'Resurrection', creators: ['Leo Tolstoy'] },
  { name: 'The Idiot', creators: ['Fyodor Dostoyevsky'] },
  { name: '1492', creators: ['Mary Johnston'] },
  { name: '20,000 Leagues under the Sea', creators: ['Jules Verne'] },
  { name: 'Moby-Dick; or, The Whale', creators: ['Herman Melville'] },
  { name: '道德經', creators: ['Laozi'], alsoKnownAs: ['The Tao Teh King'] },
  { name: '羅生門', creators: ['Ryunosuke Akutagawa'] },
  ...['1-3', '4-10', '11-14'].map((part) => ({
    name: `搜神記 volume ${part}`,
    creators: ['Bao Gan'],
    series: '搜神記',
  })),
  ...['January', 'July', 'December'].map((month, i) => ({
    name: `Diary of Samuel Pepys — Volume 4${i + 6}: ${month} 1666`,
    creators: ['Samuel Pepys'],
    series: 'Diary of Samuel Pepys',
  })),
  ...[1, 2, 3, 5, 12, 15].map((number) => ({
    name: `The Memoirs of Jacques Casanova. Volume ${String(number).padStart(2, '0')}: Venice`,
    creators: ['Giacomo Casanova'],
    series: 'The Memoirs of Jacques Casanova',
  })),
  { name: 'The Chinese Classics — Volume 1: Confucian Analects', creators: ['James Legge'] },
  // Newer, and with the words of the others.
  { name: 'The Story of the New Republic', creators: ['Ion Plato'] },
  { name: 'The Complexion of Champions', creators: ['Anonymous'] },
  { name: 'Emma McChesney and Co.', creators: ['Edna Ferber'] },
  { name: 'Jane and the Dilemma', creators: ['Austen Emmerson'] },
  { name: 'The Shepherd She Loved', creators: ['Mary Hamlet'] },
  { name: 'The Peace of a Long War', creators: ['Leo Warpeace'] },
  { name: 'The Miserable Life', creators: ['Hugo Lesmis'] },
  { name: 'The Cat in the House of Dolls and Other Plays', creators: ['William Archer'] },
  { name: 'The First 14920 Numbers', creators: ['Simon Plouffe'] },
  { name: 'Under the Sea: 200 Leagues', creators: ['An Author'] },
  { name: 'The Idiots of Dostoy', creators: ['A Critic'] },
  { name: 'Tales from the Plays: Hamlet, Prince of Denmark', creators: ['Charles Lamb'] },
]

function openIndex(): NameIndex {
  const builder = new SegmentBuilder()
  for (const [i, work] of works.entries()) builder.add(i + 1, searchedText(work))
  const index = new NameIndex(() => Promise.resolve(undefined))
  index.load(builder.finish())
  return index
}

function firstFor(index: NameIndex, text: string): string | undefined {
  const words = wordsOf(text)
  const matches = index.match(words, true)
  const [first] = pageByFit(index, matches, { text: foldText(text), words }, { skip: 0, limit: 1 }, ({ numbers }) => [
    Math.max(...numbers),
  ])
  return first === undefined ? undefined : works[first - 1]?.name
}

test.each([
  // One word
  ['ion', 'Ion'],
  ['she', 'She'],
  ['emma', 'Emma'],
  ['republic', 'The Republic'],
  ['the republic', 'The Republic'],
  ['hamlet', 'Hamlet'],
  // Given names, and creators with titles
  ['jane austen emma', 'Emma'],
  ['republic plato', 'The Republic'],
  ['leo tolstoy resurrection', 'Resurrection'],
  ['shakespeare hamlet', 'Hamlet'],
  // Words left unsaid
  ['war peace', 'War and Peace'],
  ['pride prejudice', 'Pride and Prejudice'],
  ['tess urbervilles', "Tess of the d'Urbervilles: A Pure Woman"],
  // Accents and punctuation
  ['les miserables', 'Les Misérables'],
  ['dolls house', "A Doll's House : a play"],
  ['durbervilles', "Tess of the d'Urbervilles: A Pure Woman"],
  ['mobydick', 'Moby-Dick; or, The Whale'],
  // Numbers and volumes
  ['1492', '1492'],
  ['20000 leagues', '20,000 Leagues under the Sea'],
  ['casanova 5', 'The Memoirs of Jacques Casanova. Volume 05: Venice'],
  ['casanova volume 005', 'The Memoirs of Jacques Casanova. Volume 05: Venice'],
  ['pepys 48', 'Diary of Samuel Pepys — Volume 48: December 1666'],
  ['pepys july 1666', 'Diary of Samuel Pepys — Volume 47: July 1666'],
  ['chinese classics 1', 'The Chinese Classics — Volume 1: Confucian Analects'],
  // Chinese, whole and in parts
  ['道德經', '道德經'],
  ['道德', '道德經'],
  ['羅生', '羅生門'],
  ['搜神記 4', '搜神記 volume 4-10'],
  // Latin spellings, and other titles
  ['daodejing', '道德經'],
  ['dao de jing', '道德經'],
  ['luo sheng men', '羅生門'],
  ['voyna i mir', 'Война и мир'],
  ['tolstoy mir', 'Война и мир'],
  ['tao teh king', '道德經'],
])('%s finds %s first', (text, wanted) => {
  expect(firstFor(openIndex(), text)).toBe(wanted)
})

test.each([
  ['pride and predjudice', 'Pride and Prejudice'],
  ['dostoevsky idiot', 'The Idiot'],
  ['shakespere hamlet', 'Hamlet'],
  ['resurection', 'Resurrection'],
  ['misserables', 'Les Misérables'],
])('in place of %s a text is offered that finds %s first', (text, wanted) => {
  const index = openIndex()
  expect(firstFor(index, text)).toBeUndefined()
  const [best] = didYouMean(index, text, () => true)
  expect(firstFor(index, best?.text ?? '')).toBe(wanted)
})
