/**
 * The milliseconds of the processor that this thread has spent on the work: what else the machine does counts for nothing,
 * and work that grows beyond its bounds is seen all the same.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  return msSince(before)
}

/** The same of work that waits; what this thread does meanwhile for others counts, too. */
export async function cpuMsOfAsync(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return msSince(before)
}

function msSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
