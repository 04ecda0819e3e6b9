import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { CachedResponse } from './cached-response.ts'

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
 * The browser's files, by their address: few and small, so they are held in memory. Files that the build names after
 * their content are cached for ever; the rest are revalidated. The build may have left a brotli form beside a file.
 */
export async function openAssets(directory: string): Promise<ReadonlyMap<string, CachedResponse>> {
  const assets = new Map<string, CachedResponse>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const address = `/${relative(directory, file).split(sep).join('/')}`
    const contentType = contentTypes[extname(entry.name)]
    if (contentType === undefined) continue
    assets.set(address, await readAsset(file, contentType, headersOf(address)))
  }
  return assets
}

function headersOf(address: string): Record<string, string> {
  if (address.startsWith('/assets/')) return forEver
  // A service worker has the policy of its own file, and fetches pages and files of this site.
  if (address === '/service-worker.js')
    return { 'cache-control': 'no-cache', 'content-security-policy': "default-src 'none'; connect-src 'self'" }
  return { 'cache-control': 'public, max-age=3600' }
}

const forEver = { 'cache-control': 'public, max-age=31536000, immutable' }

async function readAsset(file: string, contentType: string, headers: Record<string, string>): Promise<CachedResponse> {
  const brotli = existsSync(`${file}.br`) ? await readFile(`${file}.br`) : undefined
  return new CachedResponse(200, contentType, await readFile(file), headers, brotli)
}
