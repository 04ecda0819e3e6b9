import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { noFigure, RunsUntilNow } from './runs-until-now.tsx'

const list = {
  title: 'Past imports',
  heads: ['File', 'Rows'],
  empty: 'Nothing was imported yet.',
  query: { answeredAt: 0, error: undefined, isFetching: false, refetch: () => undefined },
}

test('A number that is not known yet is a dash among the figures of its column', () => {
  const runs = [
    { id: 'b', cells: ['b.csv', noFigure], hasFailed: false },
    { id: 'a', cells: ['a.csv', 1_200], hasFailed: false },
  ]
  const { html, text } = rendered(<RunsUntilNow {...list} runs={runs} />)
  expect(text).toBe('Past imports File Rows b.csv – a.csv 1,200')
  expect(html).toContain('<td class="data-figure">–</td>')
})

test('An empty list has a drawing and its sentence', () => {
  const { html, text } = rendered(<RunsUntilNow {...list} runs={[]} />)
  expect(text).toBe('Past imports Nothing was imported yet.')
  expect(html).toContain('class="drawing"')
})
