import { limitKey } from '../../../platform/rate-limit/consume-all.ts'

/**
 * Before a browser is asked for a passkey in a session, to add one or to prove who the caller is. Each is a row, and work for
 * the library. Nobody makes or shows so many; what is stolen with a session costs its owner none.
 */
export const limitPasskeyOptions = limitKey({ name: 'passkey-options.session', points: 30, seconds: 15 * 60 })
