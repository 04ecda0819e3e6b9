import {
  focusManager,
  hashKey,
  type MutationOptions,
  notifyManager,
  onlineManager,
  type InfiniteData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  type UseMutationResult,
  useQuery,
} from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useState } from 'react'
import { type AnswerSchema, type ApiError, request } from './api-client.ts'
import { changePages } from './change-pages.ts'
import { notifyChange } from './changes.ts'
import { askedSinceChange, changesSoFar } from './current-answer.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { retryDelay, shouldRetry } from './retry-policy.ts'
import { current, subscribeSession, useSession } from './session-store.ts'

/* The queries of the pages of members and administrators, and the one cache of their answers. Public pages import
   nothing from here: no visitor loads the library behind it. */

/** Undefined until the first page asks. A server has none. */
let client: QueryClient | undefined

function queryClient(): QueryClient {
  // A server renders these pages as shells: nothing is asked there, and nothing may be kept between two visitors.
  if (typeof window === 'undefined') return new QueryClient()
  client ??= openClient()
  return client
}

/** Answers are shared for this time, unless something is changed in it. */
const freshMs = 2_000

/**
 * When each query was asked last, by its hash, and after how many changes. The clock of the page may be set, this one only
 * goes on.
 */
const asked = new Map<string, { at: number; changes: number }>()

function openClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // A browser's word on being offline is a guess: the call is made, and its failure shown.
        networkMode: 'always',
        retry: shouldRetry,
        retryDelay,
        refetchOnWindowFocus: false,
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
        // Each answer is a new object: 'just now' in it is computed from when it came.
        structuralSharing: false,
      },
      // No mutation is cached: its input may be a password.
      mutations: { networkMode: 'always', retry: false, gcTime: 0 },
    },
  })
  focusManager.setEventListener((handle) => {
    const look = (): void => handle()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  })
  // Told with the promise of the same outcome, so that a page draws both at once.
  notifyManager.setScheduler(queueMicrotask)
  client.mount()
  onlineManager.setOnline(navigator.onLine)

  // The cache belongs to a session: it ends with it, whichever tab has ended it.
  let { session } = current()
  subscribeSession(() => {
    const [former, next] = [session, current().session]
    if (next?.token === former?.token) return
    session = next
    asked.clear()
    if (former !== undefined && next?.email === former.email) handOn(client, former.token, next.token)
    else client.clear()
  })
  return client
}

/** The same person goes on under another token: what they see stays until it is asked for anew, which is at once. */
function handOn(client: QueryClient, former: string, token: string): void {
  const isFormer = ({ queryKey: [owner] }: { queryKey: readonly unknown[] }): boolean => owner === former
  for (const [[, ...about], data] of client.getQueriesData({ predicate: isFormer }))
    if (data !== undefined) client.setQueryData([token, ...about], data)
  client.removeQueries({ predicate: isFormer })
}

export interface ApiQueryOptions<T> {
  /** The address that is asked, and the name of its answer in the cache. */
  path: string
  /** Tells queries of the same address apart. */
  occasion?: string
  fetch: (token: string, signal: AbortSignal) => Promise<T>
  /** Whether it is asked at all; it never is without a session. */
  isEnabled?: boolean
  /** An answer that came on another way, and when, as `performance.now()` has it. */
  initial?: () => { data: T; at: number } | undefined
  /** Shows the answer to the query before while this one is asked. */
  keepsPrevious?: boolean
  refetchOnReturn?: boolean
  /** When to ask again by itself; false for not at all. */
  refetchAfterMs?: (answer: T | undefined, error: ApiError | undefined) => number | false
  retry?: (failures: number, error: ApiError) => boolean
  retryDelay?: (failures: number) => number
  /** Drops the answer when nobody looks at it. */
  isForgotten?: boolean
}

export interface ApiQuery<T> {
  /** The last answer; it stays when a later query fails. */
  data: T | undefined
  /** When it came, in milliseconds since 1970; 0 without one. */
  answeredAt: number
  /** Why there is no answer to the last query; it stays while that is asked again. */
  error: ApiError | undefined
  isFetching: boolean
  refetch: () => void
  /** Changes the answer in the cache, to one that another call has brought. */
  setData: (change: (data: T | undefined) => T | undefined) => void
}

/** How a route is asked whose answer is of this schema. */
export function fetches<T>(path: string, schema: AnswerSchema<T>): Pick<ApiQueryOptions<T>, 'path' | 'fetch'> {
  return { path, fetch: (token, signal) => request(path, schema, { token, signal }) }
}

/** An answer of the API for the session of this browser, alive: another session, or none, changes it at once. */
export function useApiQuery<T>({
  path,
  occasion = '',
  fetch,
  isEnabled = true,
  initial,
  keepsPrevious = false,
  refetchOnReturn = false,
  refetchAfterMs,
  retry,
  retryDelay: ownRetryDelay,
  isForgotten = false,
}: ApiQueryOptions<T>): ApiQuery<T> {
  const token = useSession().session?.token
  const queryKey = [token, path, occasion]
  const hash = hashKey(queryKey)
  const client = queryClient()
  const result = useQuery<T, ApiError>(
    {
      queryKey,
      queryFn: ({ signal }) =>
        askedSinceChange(
          () => {
            asked.set(hash, { at: performance.now(), changes: changesSoFar() })
            return fetch(token ?? '', signal)
          },
          () => void client.invalidateQueries({ queryKey, exact: true }),
        ),
      enabled: token !== undefined && isEnabled,
      staleTime: ({ queryHash }) => {
        const last = asked.get(queryHash)
        const at = last === undefined ? initial?.()?.at : last.changes === changesSoFar() ? last.at : undefined
        return at !== undefined && performance.now() - at < freshMs ? Infinity : 0
      },
      ...(initial === undefined ? {} : { initialData: () => initial()?.data }),
      ...(keepsPrevious
        ? { placeholderData: (data, before) => (before?.queryKey[0] === token ? data : undefined) }
        : {}),
      ...(refetchAfterMs === undefined
        ? {}
        : {
            refetchInterval: ({ state }) => refetchAfterMs(state.data, state.error ?? undefined),
            refetchIntervalInBackground: true,
          }),
      ...(refetchOnReturn ? { refetchOnWindowFocus: true } : {}),
      ...(retry === undefined ? {} : { retry }),
      ...(ownRetryDelay === undefined ? {} : { retryDelay: ownRetryDelay }),
      ...(isForgotten ? { gcTime: 0 } : {}),
    },
    client,
  )

  const error = useStandingError(hash, result)
  const { refetch } = result
  return {
    data: result.data,
    answeredAt: result.dataUpdatedAt,
    error,
    isFetching: result.isFetching,
    refetch: useCallback(() => void refetch({ cancelRefetch: false }), [refetch]),
    setData: useCallback(
      (change: (data: T | undefined) => T | undefined) => client.setQueryData<T>([token, path, occasion], change),
      [client, token, path, occasion],
    ),
  }
}

/** The library drops the error of a query as soon as it is fetched again; the page goes on showing it. */
function useStandingError(
  hash: string,
  { error, isFetching, data }: { error: ApiError | null; isFetching: boolean; data: unknown },
): ApiError | undefined {
  const [failed, setFailed] = useState<{ hash: string; error: ApiError }>()
  if (error !== null && failed?.error !== error) setFailed({ hash, error })
  const isRepeated = isFetching && data === undefined && failed?.hash === hash
  return error ?? (isRepeated ? failed.error : undefined)
}

export interface ApiPages<T> {
  pages: readonly T[]
  /** When the last of them came, in milliseconds since 1970; 0 without one. */
  answeredAt: number
  /** Why the last page that was asked for did not come; it stays while that is asked for again. */
  error: ApiError | undefined
  isFetching: boolean
  /** The pages are still those of the list before (`keepsPrevious`). */
  isPrevious: boolean
  hasMore: boolean
  /** Asks for the next page, the first too, or again for what did not come; unless something is on its way. */
  more: () => void
  refetch: () => void
  reset: () => void
  /** Changes pages that are there, after another call has changed what they show. */
  setPages: (change: (page: T) => T) => void
}

/**
 * A list of the API that is read page by page, for the session of this browser. It is forgotten when nobody looks at it.
 * @param nextAfter what the page after this one is asked with; undefined behind the last
 * @param keepsPrevious shows the pages of the list before while the first of this one is asked for
 */
export function useApiPages<T, Param>({
  path,
  fetch,
  nextAfter,
  keepsPrevious = false,
}: {
  path: string
  fetch: (param: Param | undefined, token: string, signal: AbortSignal) => Promise<T>
  nextAfter: (last: T, pages: readonly T[]) => Param | undefined
  keepsPrevious?: boolean
}): ApiPages<T> {
  const token = useSession().session?.token
  const client = queryClient()
  const queryKey = [token, path, 'pages']
  const result = useInfiniteQuery<
    T,
    ApiError,
    InfiniteData<T, Param | undefined>,
    readonly unknown[],
    Param | undefined
  >(
    {
      queryKey,
      queryFn: ({ pageParam, signal }) =>
        askedSinceChange(
          () => fetch(pageParam as Param | undefined, token ?? '', signal),
          () => void client.invalidateQueries({ queryKey, exact: true }),
        ),
      initialPageParam: undefined,
      getNextPageParam: nextAfter,
      enabled: token !== undefined,
      // Asked again, it would ask for all pages: only who changes something begins anew.
      staleTime: Infinity,
      gcTime: 0,
      ...(keepsPrevious
        ? { placeholderData: (data, before) => (before?.queryKey[0] === token ? data : undefined) }
        : {}),
    },
    client,
  )
  const { data, isFetching, hasNextPage, isRefetchError, fetchNextPage, refetch } = result
  return {
    pages: data?.pages ?? [],
    answeredAt: result.dataUpdatedAt,
    error: useStandingError(hashKey(queryKey), result),
    isFetching,
    isPrevious: result.isPlaceholderData,
    hasMore: hasNextPage,
    refetch: useCallback(() => void refetch({ cancelRefetch: false }), [refetch]),
    more: useCallback(
      () => void (isRefetchError ? refetch({ cancelRefetch: false }) : fetchNextPage({ cancelRefetch: false })),
      [isRefetchError, refetch, fetchNextPage],
    ),
    reset: useCallback(() => void client.resetQueries({ queryKey: [token, path, 'pages'] }), [client, token, path]),
    setPages: useCallback(
      (change: (page: T) => T) => changePages(client, [token, path, 'pages'], change),
      [client, token, path],
    ),
  }
}

/**
 * A call that changes something, never repeated by itself. While one is under way, another with the same variables is not
 * made: the second of two clicks gets the outcome of the first.
 */
export function useApiMutation<T, Variables = void>(
  options: Pick<MutationOptions<T, ApiError, Variables>, 'mutationFn' | 'onSuccess' | 'onError'>,
): UseMutationResult<T, ApiError, Variables> {
  const result = useMutation(options, queryClient())
  const { mutateAsync: call } = result
  // Counted together with what the page shows of an outcome, and so drawn with it. A timer would come too late for who
  // answers a refusal at once: a browser lets keys and clicks go before timers.
  const [outcomes, setOutcomes] = useState(0)
  const [{ once, drawn }] = useState(() => oneAtATime<T>(() => setOutcomes((count) => count + 1)))
  useLayoutEffect(drawn, [drawn, outcomes])
  const mutateAsync = useCallback<typeof call>(
    (...given) => once(JSON.stringify(given[0]) ?? '', () => call(...given)),
    [once, call],
  )
  const mutate = useCallback<typeof result.mutate>(
    // The failure stands in the result.
    (...variables) => void mutateAsync(...variables).catch(() => undefined),
    [mutateAsync],
  )
  return { ...result, mutate, mutateAsync }
}

/**
 * The same for every address that begins so: a list is asked for under many. Also what was answered a moment ago is asked
 * for anew.
 */
export function refetchAnswersUnder(...prefixes: string[]): void {
  const token = current().session?.token
  // First: what is asked now is asked after the change.
  notifyChange()
  void queryClient().invalidateQueries({
    predicate: ({ queryKey: [owner, path] }) =>
      owner === token && prefixes.some((prefix) => String(path).startsWith(prefix)),
  })
}

/** Has the pages that show these addresses ask for them anew, and all others do so when they are opened next. */
export function refetchAnswers(...paths: string[]): void {
  const token = current().session?.token
  notifyChange()
  for (const path of paths) void queryClient().invalidateQueries({ queryKey: [token, path] })
}

/**
 * Changes the answer of an address to what a call has stored: also a page or a dialog that is opened at once begins with
 * it, and with its version.
 */
export function changeAnswer<T>(path: string, change: (answer: T) => T): void {
  const token = current().session?.token
  queryClient().setQueryData<T>([token, path, ''], (known) => (known === undefined ? undefined : change(known)))
}
