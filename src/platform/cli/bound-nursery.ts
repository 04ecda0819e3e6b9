import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** The size of either half of the nursery. The 1 MB that V8 begins with costs an import a tenth of its processor time. */
const megabytes = 8

/**
 * Gives the nursery of this process its size for good. Rows of imports and backups live for a moment: where the nursery grows
 * further, 200 MB of them lie about until they are swept; where it stays as small as it begins, it is swept for each row.
 * V8 takes no size after its start, but how much the nursery grows at once when what is kept fills it.
 */
export function boundNursery(): void {
  setFlagsFromString(`--semi-space-growth-factor=${megabytes}`)
  const kept: unknown[] = []
  // It takes some 14 of them. Where less is allowed, as to the backup that a server begins, it never comes to that size.
  while (nurseryBytes() < 2 * megabytes * 1024 * 1024 && kept.length < 25) {
    kept.push(Array.from({ length: 1_000 }, () => ({})))
  }
  setFlagsFromString('--semi-space-growth-factor=1')
}

function nurseryBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? Infinity
}
