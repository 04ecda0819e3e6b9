import { spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openNodeServer } from '../src/http/node-server.ts'
import { freePort } from './harness/free-port.ts'
import { startNginx } from './harness/nginx.ts'

const hasNginx = spawnSync('nginx', ['-v']).status === 0

/** An instance that answers everything but one path. @returns its stop */
async function anInstance(port: number, lacks?: string): Promise<() => Promise<void>> {
  const receive: Parameters<typeof openNodeServer>[0] = ({ url }, response) => {
    response.statusCode = url === lacks ? 404 : 200
    response.end('here')
  }
  const { server, stop } = openNodeServer(receive, {
    headers: [],
    hasProxy: true,
    onShortage: () => undefined,
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return stop
}

test.skipIf(!hasNginx)('deploy/nginx.conf: instances that restart within a second fail no form', async () => {
  const ports = [await freePort(), await freePort()]
  const nginx = await startNginx(await freePort(), ports)
  onTestFinished(() => nginx.close())
  const stops = await Promise.all(ports.map((port) => anInstance(port)))
  await expect
    .poll(() =>
      fetch(nginx.url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBe(200)
  const statuses: number[] = []
  const stopping = new AbortController()
  const posting = (async () => {
    for (; !stopping.signal.aborted; await wait(5)) {
      const answer = await fetch(nginx.url, { method: 'POST', body: 'x' })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
  })()
  for (const [place, port] of ports.entries()) {
    await wait(100)
    await stops[place]?.()
    // For as long as nginx asks an instance that is not there.
    await wait(100)
    stops[place] = await anInstance(port)
  }
  await wait(100)
  stopping.abort()
  await posting
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(statuses.length).toBeGreaterThan(10)
})

test.skipIf(!hasNginx)('deploy/nginx.conf: a file that one of two versions lacks comes from the other', async () => {
  const ports = [await freePort(), await freePort()]
  const nginx = await startNginx(await freePort(), ports)
  onTestFinished(() => nginx.close())
  await Promise.all(ports.map((port, place) => anInstance(port, place === 0 ? '/assets/new.js' : '/new')))
  const statusesOf = async (path: string): Promise<number[]> => {
    const statuses: number[] = []
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await fetch(`${nginx.url}${path}`)).status)
    return statuses
  }
  await expect.poll(() => statusesOf('/').catch(() => [])).toHaveLength(6)
  expect(await statusesOf('/assets/new.js')).toEqual(Array.from({ length: 6 }, () => 200))
  // Elsewhere the first answer counts: there is no second look for each address that nobody has.
  expect(await statusesOf('/new')).toContain(404)
})
