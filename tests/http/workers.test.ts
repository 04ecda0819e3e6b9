import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'
import { redisAnswers, redisUrl } from '../harness/redis.ts'
import { sendRequest } from '../harness/request.ts'

const prepared = inject('preparedDatabase')
const token = 'a-token-of-a-test'

function workersOf({ child: { pid } }: Started): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

test.skipIf(prepared.engine === 'embedded' || !(await redisAnswers()))(
  'two workers answer at one port and are counted together; one that is killed is started again while the other answers; a signal ends all',
  async () => {
    if (prepared.engine === 'embedded') return
    const name = `${prepared.template}_${randomUUID().slice(0, 8)}`
    const dataDir = await mkdtemp(join(tmpdir(), 'daybook-workers-'))
    await onServer(prepared.serverUrl, `create database ${name} template ${prepared.template}`)
    const env = {
      NODE_ENV: 'production',
      DEMO: '0',
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(prepared.serverUrl, name),
      REDIS_URL: redisUrl,
      PAYMENTS: 'off',
      METRICS_TOKEN: token,
      WORKERS: '2',
    }
    const site = startDaybook([], env, { input: '' })
    const started = [site]
    try {
      const url = await addressOf(site)
      const workers = workersOf(site)
      expect(workers).toHaveLength(2)

      // Connections go to the workers by turns; what is asked is only told by all.
      for (let i = 0; i < 10; i += 1) expect((await sendRequest(`${url}/healthz`)).status).toBe(200)
      const metrics = await sendRequest(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      expect(metrics.text).toMatch(/^daybook_http_request_duration_seconds_count\{.*route="\/healthz".*\} 10$/m)
      expect(metrics.text).toMatch(/^daybook_entries_published 0$/m)

      const second = startDaybook([], { ...env, PORT: new URL(url).port }, { input: '' })
      started.push(second)
      expect(await second.ended).toBe(1)
      expect(second.err()).toMatch(/^\nPORT must be one that no other process listens on. It is "\d+".\n$/)

      process.kill(workers[0] as number, 'SIGKILL')
      await site.said(/(A worker has ended, and is started again\.)/)
      for (let i = 0; i < 10; i += 1) expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
      await expect.poll(() => site.output().match(/Daybook listens\./g)?.length, { timeout: 60_000 }).toBe(3)
      expect(workersOf(site)).toContain(workers[1])

      site.child.kill('SIGTERM')
      expect(await site.ended, site.output()).toBe(0)
      expect(site.output()).not.toMatch(/\n\s+at /)
    } finally {
      await Promise.all(started.map(kill))
      await onServer(prepared.serverUrl, `drop database ${name} with (force)`)
      await rm(dataDir, { recursive: true, force: true })
    }
  },
)
