// The default export, as in embedded.ts.
import fs from 'node:fs'
import { join } from 'node:path'

export function hasEmbedded(dataDir: string): boolean {
  return fs.existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
}
