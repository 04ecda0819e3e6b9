import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath } from 'node:url'

const maps = new Map<string, SourceMap | undefined>()

/**
 * A stack of the built server with the places of the sources. A map is read with the first stack that needs it: Node's
 * `--enable-source-maps` reads all of them at the start, which takes a fifth longer then and 37 MB more.
 */
export function inSources(stack: string): string {
  return stack.replaceAll(/(file:\S+\/build\/server\/[^/\s]+\.js):(\d+):(\d+)/g, (built, url: string, line, column) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !('fileName' in origin)) return built
    return `${origin.fileName.replace(/^(\.\.\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`
  })
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) {
    const file = `${fileURLToPath(url)}.map`
    maps.set(url, existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : undefined)
  }
  return maps.get(url)
}
