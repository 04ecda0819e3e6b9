import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

/** A data directory as a first start leaves it: a process that is given it starts as quickly as on any later one. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  await cp(join(inject('preparedDataDir'), 'postgres'), join(dataDir, 'postgres'), { recursive: true })
}
