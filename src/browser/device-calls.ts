/**
 * The calls that the cookie of this device goes along with, and whose answer may set it: the routes that read it, and no
 * others (docs/spec/accounts.md#known-devices). A test compares the list with the routes.
 */
export const deviceCalls: readonly string[] = [
  'POST /auth/login',
  'POST /auth/proof',
  'GET /auth/devices',
  'DELETE /auth/devices',
  'POST /forgot-password',
  'POST /reset-password',
  'POST /reset-password/account',
]

/** Whether a call is one of them, whatever its query is. */
export function goesWithDevice(method: string, path: string): boolean {
  return deviceCalls.includes(`${method} ${path.split('?', 1)[0] ?? ''}`)
}
