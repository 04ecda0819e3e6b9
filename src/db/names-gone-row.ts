/** Whether a write was refused because it names a row that was deleted since it was looked up. */
export function namesGoneRow(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23503'
}
