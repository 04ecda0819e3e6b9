import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface RunningNginx {
  url: string
  close(): Promise<void>
}

/**
 * nginx with the upstream and the location of `deploy/nginx.conf`, without https.
 * @param port where it listens
 * @param ports those of the instances
 */
export async function startNginx(port: number, ports: readonly number[]): Promise<RunningNginx> {
  const delivered = await readFile(resolve(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
  const upstream = /^upstream daybook \{$[^]*?^\}$/m.exec(delivered)?.[0] ?? ''
  const location = /^ {2}location \/ \{$[^]*?^ {2}\}$/m.exec(delivered)?.[0] ?? ''
  const [server = ''] = /^ +server .*$/m.exec(upstream) ?? []
  const servers = ports.map((one) => `${server.replace(/:\d+/, `:${one}`)}\n`).join('')
  const folder = await mkdtemp(join(tmpdir(), 'daybook-nginx-'))
  // It gives its rights up and then reads its files as another account.
  await chmod(folder, 0o755)
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    `worker_processes 1;
error_log ${folder}/error.log;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `  ${kind}_temp_path ${folder}/${kind};`).join('\n')}
${upstream.replace(/(^ +server .*\n)+/m, servers)}
  server {
    listen 127.0.0.1:${port};
${location}
  }
}
`,
  )
  const nginx: ChildProcess = spawn('nginx', ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' })
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const ended = new Promise((done) => nginx.once('close', done))
      nginx.kill()
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
