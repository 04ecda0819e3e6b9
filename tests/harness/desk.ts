import type { NoticeForDesk, NoticesForDesk } from '../../src/features/notices/desk/desk-schema.ts'
import { drainJobs } from './drain.ts'
import { type ReadEmail, readEmails } from './emails.ts'
import { post, type SignedIn } from './members.ts'
import type { TestResponse } from './request.ts'
import type { TestServer } from './test-server.ts'

/**
 * The calls of an administrator about notices.
 * @param opened the server, once it is open
 * @param usual who calls, unless another one is named
 */
export function deskCalls(opened: () => TestServer, usual: () => SignedIn) {
  const get = (path: string, { headers } = usual()): Promise<TestResponse> => opened().request(path, { headers })
  return {
    get,
    act: (path: string, body: unknown, { headers } = usual()): Promise<TestResponse> =>
      post(opened(), `/api/notices/${path}`, body, headers),
    read: async ({ reference }: { reference: string }, by = usual()): Promise<NoticeForDesk> =>
      (await get(`/api/notices/${reference}`, by)).json() as NoticeForDesk,
    list: async (query = '', by = usual()): Promise<NoticesForDesk> =>
      (await get(`/api/notices${query}`, by)).json() as NoticesForDesk,
  }
}

/** The emails that come of some work, the oldest first. */
export async function emailsOf({ app }: Pick<TestServer, 'app'>, work: () => Promise<unknown>): Promise<ReadEmail[]> {
  await drainJobs(app)
  const before = (await readEmails(app)).length
  await work()
  await drainJobs(app)
  return (await readEmails(app)).slice(before)
}
