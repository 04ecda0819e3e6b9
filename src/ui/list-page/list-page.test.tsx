import { expect, test } from 'vitest'
import { rendered } from '../../../tests/harness/rendered.ts'
import { ListBody } from './list-page.tsx'
import type { AddressFilters } from './use-address-filters.ts'

const nothing = (): void => undefined
const filters: AddressFilters = { get: () => '', page: 9, query: () => 'page=9', set: nothing, setPage: nothing }
const here = { isHere: true, error: undefined, isFetching: false, onRetry: nothing }
const error = { message: 'The database is away.' }

function textOf(parts: Partial<Parameters<typeof ListBody>[0]>): string {
  return rendered(
    <ListBody
      answer={here}
      failure="The works could not be loaded"
      shown={1}
      empty="No works."
      step="Add one"
      {...parts}
    >
      Moby Dick
    </ListBody>,
  ).text
}

test('a list is there, or says that it is empty, with the next step', () => {
  expect(textOf({})).toBe('Moby Dick')
  expect(textOf({ shown: 0 })).toContain('No works.')
  expect(textOf({ shown: 0 })).toContain('Add one')
})

test('a page beyond the last one leads to the first', () => {
  const text = textOf({ shown: 0, pager: { filters, totalPages: 2 } })
  expect(text).toContain('This page is beyond the last one.')
  expect(text).toContain('Go to the first page')
  expect(textOf({ shown: 0, pager: { filters: { ...filters, page: 1 }, totalPages: 0 } })).toContain('No works.')
})

test('a failure stands in the place of a list that never came, and above one that did', () => {
  const failed = textOf({ answer: { ...here, isHere: false, error } })
  expect(failed).toContain('The works could not be loaded')
  expect(failed).toContain('The database is away.')
  expect(failed).not.toContain('Moby Dick')
  const stale = textOf({ answer: { ...here, error } })
  expect(stale).toContain('The database is away.')
  expect(stale).toContain('Moby Dick')
})

test('a list that goes on says below itself why the next part did not come', () => {
  const text = textOf({ answer: { ...here, error }, more: { hasMore: true, onMore: nothing } })
  expect(text).toMatch(/Moby Dick.*The database is away\..*Try again/s)
})
