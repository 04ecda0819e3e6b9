import { Readable } from 'node:stream'
import { BackupFault } from './frames.ts'

/** The beginning of a file that is encrypted with age (https://age-encryption.org). */
export const ageLine = Buffer.from('age-encryption.org/v1\n')

/** For whom a file is encrypted: the public half of a key that `age-keygen` makes. */
export const agePattern = /^age1[02-9ac-hj-np-z]{58,}$/

/** @throws {Error} where a recipient is mistyped: its last characters are a checksum */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
}

/** Encrypts what is read; each of the recipients can read it. */
export async function* encrypted(
  plain: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  yield* Readable.fromWeb((await encrypter.encrypt(webStreamOf(plain))) as never) as AsyncIterable<Uint8Array>
}

/**
 * Reads what was encrypted.
 * @param keys the content of a file that `age-keygen` made: a key a line, `#` before remarks
 * @throws {BackupFault} where it is encrypted for none of them, cut off or damaged
 */
export async function* decrypted(sealed: AsyncIterable<Uint8Array>, keys: string): AsyncGenerator<Buffer> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  try {
    for (const line of keys.split('\n').map((each) => each.trim()))
      if (line !== '' && !line.startsWith('#')) decrypter.addIdentity(line)
  } catch (cause) {
    throw new BackupFault('is encrypted, and the file of --identity holds a line that is no key of age.', { cause })
  }
  let opened: AsyncIterable<Uint8Array>
  try {
    opened = Readable.fromWeb((await decrypter.decrypt(webStreamOf(sealed))) as never)
  } catch (error) {
    // The library has no code for it; the test of an encrypted backup holds these words.
    if ((error as Error).message.includes('no identity'))
      throw new BackupFault('is encrypted for another key than those of --identity.', { cause: error })
    throw faultOf(error)
  }
  try {
    for await (const piece of opened) yield Buffer.from(piece)
  } catch (error) {
    throw faultOf(error)
  }
}

/** Errors of the disk keep their code. */
function faultOf(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  return code?.startsWith('E') === true && !code.startsWith('ERR_')
    ? error
    : new BackupFault('is cut off or damaged.', { cause: error })
}

function webStreamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(pieces, { objectMode: false })) as unknown as ReadableStream<Uint8Array>
}
