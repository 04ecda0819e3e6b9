/** Why this browser, at this address, has no passkeys; undefined where it has. */
export function passkeyObstacle(): string | undefined {
  if (!window.isSecureContext) return 'Passkeys need a site that is served over https.'
  return typeof window.PublicKeyCredential === 'function'
    ? undefined
    : 'This browser knows no passkeys. Use a newer one, or an authenticator app.'
}
