import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

/* The files of `deploy/`, as the programs that they are for read them; where these are not installed, nothing is tested. */

const file = (name: string): string => resolve(import.meta.dirname, '../deploy', name)
const isThere = (program: string, word: string): boolean => spawnSync(program, [word]).status === 0

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
  return stdout + stderr
}

test('the image and the unit have the memory settings of `npm start`', async () => {
  // An operator's own settings go before these.
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const variable of ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_']) vi.stubEnv(variable, undefined)
  const prepare = pathToFileURL(resolve(import.meta.dirname, '../scripts/prepare.mjs')).href
  const { frugal } = (await import(prepare)) as { frugal: Record<string, string> }
  for (const name of ['Containerfile', 'daybook.service'])
    for (const [variable, value] of Object.entries(frugal))
      expect(await readFile(file(name), 'utf8')).toContain(`${variable}=${value.split(' ')[0]}`)
})

const hasSystemd = isThere('systemd-analyze', '--version')

test.skipIf(!hasSystemd)('daybook.service: systemd has nothing to say of it, and its exposure is at most 3', () => {
  expect(run('systemd-analyze', 'verify', '--man=no', file('daybook.service'))).toBe('')
  run('systemd-analyze', 'security', '--offline=true', '--threshold=30', '--no-pager', file('daybook.service'))
})

test.skipIf(!isThere('caddy', 'version'))('Caddyfile: Caddy takes it', () => {
  expect(run('caddy', 'validate', '--adapter', 'caddyfile', '--config', file('Caddyfile'))).toContain(
    'Valid configuration',
  )
})

test.skipIf(!isThere('nginx', '-v') || !isThere('openssl', 'version'))('nginx.conf: nginx takes it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-deploy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [key, certificate] = [join(folder, 'privkey.pem'), join(folder, 'fullchain.pem')]
  const made = ['-keyout', key, '-out', certificate, '-subj', '/CN=library.example']
  run('openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...made)
  const site = (await readFile(file('nginx.conf'), 'utf8'))
    .replaceAll('/etc/letsencrypt/live/library.example', folder)
    .replaceAll('/var/log/nginx', folder)
  const whole = join(folder, 'nginx.conf')
  await writeFile(whole, `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n${site}}\n`)
  expect(run('nginx', '-t', '-c', whole, '-e', join(folder, 'error.log'))).toContain('test is successful')
})
