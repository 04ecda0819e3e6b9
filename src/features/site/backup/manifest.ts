/** The format that this version writes, and the only one that it reads. */
export const backupFormat = 1

/** The first words of a backup: they are known before anything else is. */
export interface BackupHead {
  format: number
  version: string
  migrations: string[]
  /** ISO text: the database is as it was then. */
  createdAt: string
}

/** The contents of a backup, at its end; `backup --show` prints it. */
export interface Manifest extends BackupHead {
  counts: Record<string, number>
  /** SHA-256 over everything before it, hexadecimal. */
  checksum: string
  /** The last position of the audit log. */
  auditPosition: number
  removals: number
  /** How many files of evidence it holds; null for a backup without files. */
  evidence: number | null
  /** How many covers, likewise. */
  covers: number | null
}

/** Rows in all. */
export function rowsIn({ counts }: Pick<Manifest, 'counts'>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
