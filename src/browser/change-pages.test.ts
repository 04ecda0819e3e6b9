import { type InfiniteData, InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { changePages } from './change-pages.ts'

test('a row that is changed while the next page is on its way stays changed', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  const second = Promise.withResolvers<string[]>()
  const queryKey = ['list']
  const list = new InfiniteQueryObserver<string[], Error, InfiniteData<string[], number>, string[], number>(client, {
    queryKey,
    queryFn: ({ pageParam }) => (pageParam === 0 ? Promise.resolve(['open', 'open']) : second.promise),
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => (pages.length < 2 ? pages.length : undefined),
  })
  const rows = () => list.getCurrentResult().data?.pages
  const end = list.subscribe(() => undefined)
  await expect.poll(rows).toEqual([['open', 'open']])

  const more = list.fetchNextPage()
  changePages<string[]>(client, queryKey, ([, ...rest]) => ['closed', ...rest])
  expect(rows()).toEqual([['closed', 'open']])
  changePages<string[]>(client, queryKey, ([first = '']) => [first, 'answered'])
  second.resolve(['new'])
  await more
  await expect.poll(rows).toEqual([['closed', 'answered'], ['new']])

  changePages<string[]>(client, queryKey, (page) => page.slice(0, 1))
  expect(rows()).toEqual([['closed'], ['new']])
  end()
  client.clear()
})

test('a row that is changed while the list is asked for again stays changed, also where its page had come', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { structuralSharing: false } } })
  const stored = [['open'], ['other']]
  const asked: number[] = []
  let answer = Promise.resolve()
  const queryKey = ['list']
  const list = new InfiniteQueryObserver<string[], Error, InfiniteData<string[], number>, string[], number>(client, {
    queryKey,
    queryFn: async ({ pageParam }) => {
      asked.push(pageParam)
      const page = [...(stored[pageParam] ?? [])]
      if (pageParam === 1) await answer
      return page
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => (pages.length < 2 ? pages.length : undefined),
  })
  const rows = () => list.getCurrentResult().data?.pages
  const end = list.subscribe(() => undefined)
  await expect.poll(rows).toEqual([['open']])
  await list.fetchNextPage()

  const held = Promise.withResolvers<void>()
  answer = held.promise
  const again = list.refetch()
  await expect.poll(() => asked).toEqual([0, 1, 0, 1])
  stored[0] = ['closed']
  changePages<string[]>(client, queryKey, (page) => page.map((row) => (row === 'open' ? 'closed' : row)))
  expect(rows()).toEqual([['closed'], ['other']])
  held.resolve()
  await again
  expect(rows()).toEqual([['closed'], ['other']])
  end()
  client.clear()
})
