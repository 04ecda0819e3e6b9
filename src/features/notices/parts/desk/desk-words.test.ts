import { expect, test } from 'vitest'
import { aCounterNotice, aDecision, aNotice, aReportedAddress } from '../../../../../tests/harness/desk-samples.ts'
import { restoreInWords } from './case-counter-notice.tsx'
import {
  becomesInWords,
  decisionInWords,
  elementInWords,
  decideManyInWords,
  doneInWords,
  emptyInWords,
  groundLabel,
  groundSentence,
  missingInWords,
  outcomeInWords,
  reportedInWords,
  sendInWords,
} from './desk-words.ts'

test('the queue says what was reported, and what is missing', () => {
  expect(reportedInWords('Letters', 1)).toBe('Letters')
  expect(reportedInWords('Letters', 2)).toBe('Letters and 1 more address')
  expect(reportedInWords('Letters', 50)).toBe('Letters and 49 more addresses')
  expect(reportedInWords(undefined, 1)).toBe('1 address, no entry found')
  expect(missingInWords('copyright', ['signature', 'workDescription'])).toBe('Missing: signature, the work')
  expect(missingInWords('intimate-image', ['email'])).toBe('Missing: email address or telephone number')
  expect(elementInWords('copyright', 'iris', 'The iris')).toBe('The iris')
})

test('what came of an act on many is counted, and the button of a decision names what it does', () => {
  const one = { reference: 'N-0000-0000', reason: null }
  const other = { ...one, reason: 'No.' }
  expect(doneInWords({ verb: 'decided', results: [one] })).toBe('1 notice was decided.')
  expect(doneInWords({ verb: 'assigned', results: [one, one, other] })).toBe('2 notices were assigned, 1 was not.')
  expect(decideManyInWords('', 1)).toBe('Decide 1 notice')
  expect(decideManyInWords('remove', 2)).toBe('Remove the entries of 2 notices')
})

test('an empty list says why it is empty', () => {
  expect(emptyInWords({ state: 'open', kind: '', search: '', network: '', assigned: 'all' })).toMatch(
    /^No notice is waiting\./,
  )
  expect(emptyInWords({ state: 'closed', kind: '', search: '', network: '', assigned: 'all' })).toBe(
    'No notice has been closed yet.',
  )
  expect(emptyInWords({ state: 'open', kind: 'privacy', search: '', network: '', assigned: 'all' })).toBe(
    'No notice matches these filters.',
  )
})

test('a decision is named by what it did and why', () => {
  expect(decisionInWords({ outcome: 'remove', ground: 'illegal' })).toBe('Removed, because it is illegal')
  expect(decisionInWords({ outcome: 'restrict', ground: 'terms' })).toBe(
    "Restricted, because it is against the site's terms",
  )
  expect(decisionInWords({ outcome: 'keep', ground: 'illegal' })).toBe('Kept')
  expect(groundSentence('illegal', 'copyright', 'remove')).toContain('(451)')
  expect(groundSentence('terms', 'other', 'restrict')).toContain('(410)')
  expect(groundSentence('terms', 'child-safety', 'remove')).toContain('(404)')
  expect([groundLabel('illegal', 'keep'), groundLabel('illegal', 'remove')]).toEqual(['Lawful', 'Illegal'])
  expect(groundSentence('illegal', 'copyright', 'keep')).not.toContain('451')
  expect(becomesInWords('published')).toBe('Published again')
  expect(becomesInWords('something new')).toBe('something new')
})

test('what is sent is named by what it does', () => {
  const entry = aReportedAddress()
  const twice = aNotice({ addresses: [entry, { ...entry, id: 'a2' }, { ...entry, id: 'a3', asItIs: null }] })
  expect(sendInWords('decision', { outcome: 'remove' }, twice)).toMatchObject({
    label: 'Remove 1 entry',
    title: 'Remove 1 entry?',
  })
  expect(sendInWords('decision', { outcome: 'keep' }, aNotice({ addresses: [] })).label).toBe('Send the decision')
  const decided = aNotice({ decisions: [aDecision()] })
  expect(sendInWords('decision', { outcome: 'keep' }, decided).sentence).toMatch(
    /^This replaces the decision in force\./,
  )
  expect(sendInWords('appeal', { outcome: 'overturn' }, decided).sentence).toContain(
    'are published again if they pass the publication checks',
  )
  expect(outcomeInWords('overturn', 'keep')).toContain('the entries are removed')
})

test('a counter-notice says on which day what it names is given back, whether that is too late, or why it is not', () => {
  const accepted = aCounterNotice({ state: 'accepted' })
  const over = { restoreFrom: null, restoreUntil: null }
  expect(restoreInWords(accepted)).toBe('Its entries are restored on April 1, 2024, unless a court action is reported.')
  expect(restoreInWords({ ...accepted, restoreFrom: '2024-04-09T12:00:00.000Z' })).toBe(
    'Its entries are restored on April 9, 2024, unless a court action is reported. That is later than the law allows: its fourteen business days ended before April 5, 2024.',
  )
  expect(restoreInWords(aCounterNotice())).toMatch(/^Nothing is forwarded or restored before you accept it/)
  const at = '2024-03-20T12:00:00.000Z'
  expect(restoreInWords({ ...accepted, ...over, state: 'action', actionNotifiedAt: at })).toContain(
    'nothing is restored automatically',
  )
  expect(restoreInWords({ ...accepted, ...over, state: 'restored', restoredAt: at })).toMatch(/were restored/)
  expect(restoreInWords({ ...accepted, ...over, state: 'overtaken', overtakenAt: at })).toMatch(/^A new decision/)
  expect(restoreInWords({ ...accepted, ...over, state: 'refused' })).toBe('It has no effect.')
})
