import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Flags of WebAuthn's authenticator data: somebody was there, was recognised, and a new key comes along. */
const present = 0x01
const verified = 0x04
const attested = 0x40

interface Credential {
  id: Buffer
  privateKey: KeyObject
  counter: number
}

/** The server's options for a browser. */
export interface BrowserOptions {
  options: { challenge: string; [member: string]: unknown }
}

export interface AuthenticatorSettings {
  /** The page in which it is asked. */
  origin: string
  rpId: string
  /** 0 for one that does not count, as those that are kept in a cloud. */
  countsBy?: number
}

/** A browser with an authenticator that holds ES256 keys in memory and answers as real ones do. */
export class Authenticator {
  readonly credentials: Credential[] = []
  settings: Required<AuthenticatorSettings>

  constructor(settings: AuthenticatorSettings) {
    this.settings = { countsBy: 1, ...settings }
  }

  /** Makes a passkey: the JSON that a browser sends. */
  create({ options }: BrowserOptions, attestation: { fmt: string; attStmt: Map<string, unknown> } = none): object {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const credential = { id: randomBytes(32), privateKey, counter: 0 }
    this.credentials.push(credential)
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    // COSE: the type is an elliptic curve with two coordinates, the algorithm ES256, the curve P-256 (RFC 9053).
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(Buffer.from(x, 'base64url'))],
      [-3, bytes(Buffer.from(y, 'base64url'))],
    ])
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(credential.id.length)
    const data = Buffer.concat([
      this.#authenticatorData(present | verified | attested, 0),
      Buffer.alloc(16),
      idLength,
      credential.id,
      isoCBOR.encode(key),
    ])
    const object = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', attestation.fmt],
        ['attStmt', attestation.attStmt],
        ['authData', bytes(data)],
      ]) as never,
    )
    return this.#answer(credential, {
      clientDataJSON: this.#clientData('webauthn.create', options.challenge).toString('base64url'),
      attestationObject: Buffer.from(object).toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Signs a challenge with a passkey, of several the one that was made last: the JSON that a browser sends. */
  get({ options }: BrowserOptions, credential = this.credentials.at(-1)): object {
    if (credential === undefined) throw new Error('The authenticator holds no passkey.')
    credential.counter += this.settings.countsBy
    const data = this.#authenticatorData(present | verified, credential.counter)
    const client = this.#clientData('webauthn.get', options.challenge)
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), credential.privateKey)
    return this.#answer(credential, {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  #authenticatorData(flags: number, counter: number): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(Buffer.from(this.settings.rpId)), rest])
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.settings.origin, crossOrigin: false }))
  }

  #answer({ id }: Credential, response: object): object {
    const text = id.toString('base64url')
    return { id: text, rawId: text, type: 'public-key', response, clientExtensionResults: {} }
  }
}

const none = { fmt: 'none', attStmt: new Map<string, unknown>() }

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** CBOR knows no buffers of Node. */
function bytes(buffer: Buffer): Uint8Array {
  return Uint8Array.from(buffer)
}
