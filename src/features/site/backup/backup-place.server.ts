import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { S3EvidenceStore } from '../../catalogue/evidence/s3-evidence-store.server.ts'
import type { Log } from '../../../platform/log.ts'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import type { SiteConfig } from '../site-config.server.ts'

/** Where backups of the clock go. */
export interface BackupPlace {
  /** In words, without a secret: ends 'in …'. */
  words: string
  /** Takes a finished file out of the folder in which it was made. */
  take(path: string, name: string): Promise<void>
  list(): Promise<string[]>
  delete(name: string): Promise<void>
}

/** The folder in which backups are made, and kept unless `BACKUP_TO` names another place. */
export function backupFolder({ dataDir, backupTo }: Pick<SiteConfig, 'dataDir' | 'backupTo'>): string {
  return backupTo !== undefined && !isBucket(backupTo) ? backupTo : join(dataDir, 'backups')
}

export const isBucket = (place: string): boolean => /^https?:/.test(place)

export function openBackupPlace(config: Pick<SiteConfig, 'dataDir' | 'backupTo'>, log: Log): BackupPlace {
  const { backupTo } = config
  if (backupTo === undefined || !isBucket(backupTo)) return new BackupFolder(backupFolder(config))
  const store = new S3EvidenceStore(backupTo, log)
  const { host, pathname } = new URL(backupTo)
  return {
    words: `the bucket ${host}${pathname}`,
    async take(path, name) {
      await store.putFile(name, path)
      await rm(path)
    },
    async list() {
      const names: string[] = []
      for await (const name of store.list()) names.push(name)
      return names
    },
    delete: (name) => store.delete(name),
  }
}

class BackupFolder implements BackupPlace {
  readonly words: string

  constructor(folder: string) {
    this.words = folder
  }

  async take(path: string, name: string): Promise<void> {
    await makePrivateFolder(this.words)
    await rename(path, join(this.words, name))
  }

  list(): Promise<string[]> {
    return readdir(this.words).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.words, name), { force: true })
  }
}
