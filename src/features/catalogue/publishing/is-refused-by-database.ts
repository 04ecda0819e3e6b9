/** Data that breaks a constraint, a type or a trigger's rule; not a connection that broke. */
export function isRefusedByDatabase(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^(22|23|DB)/.test(code)
}
