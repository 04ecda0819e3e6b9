import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { Answer } from './answers.ts'

const contentTypes: Record<string, string> = {
  '.js': 'application/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/**
 * The browser's files, by their address: few and small, so they are held in memory. What the build names after its
 * content may be kept for ever; the rest is asked for again. Beside a file the build may have left its brotli form.
 */
export async function openAssets(directory: string): Promise<ReadonlyMap<string, Answer>> {
  const assets = new Map<string, Answer>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const address = `/${relative(directory, file).split(sep).join('/')}`
    const contentType = contentTypes[extname(entry.name)]
    if (contentType === undefined) continue
    const headers: Record<string, string> = address.startsWith('/assets/')
      ? { 'cache-control': 'public, max-age=31536000, immutable' }
      : { 'cache-control': 'public, max-age=3600' }
    const brotli = await readFile(`${file}.br`).catch(() => undefined)
    assets.set(address, new Answer(200, contentType, await readFile(file), headers, brotli))
  }
  return assets
}
