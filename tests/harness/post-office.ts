import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { parseEmail, type ReadEmail } from './emails.ts'

/** An email as it came over the wire: its bytes, one character each, and as its reader sees it. */
export interface TakenEmail {
  from: string
  to: string[]
  source: string
  email: ReadEmail
  /** By `performance.now()`. */
  at: number
}

/** A refusal with its SMTP code, and words of the server. */
export interface Refusal {
  code: number
  says?: string
}

/** A mail server on this machine. */
export interface PostOffice {
  url: string
  /** The accepted emails, in the order of their arrival. */
  taken: TakenEmail[]
  /** While it is away, it hangs up on everybody. */
  isAway: boolean
  hangUp(): void
  close(): Promise<void>
}

/** Its answers; it takes everything where nothing is given. */
interface Behaviour {
  greet?: () => Refusal | undefined
  /** Signs nobody in. */
  refusesPasswords?: boolean
  recipient?: (address: string) => Refusal | undefined
  /** A promise that never settles leaves the email without an answer. */
  receive?: (email: TakenEmail) => Refusal | undefined | Promise<Refusal | undefined>
  /** Its words when it takes an email. */
  says?: string
}

/** @returns a server that accepts connections; the caller closes it */
export async function openPostOffice(behaviour: Behaviour = {}): Promise<PostOffice> {
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: behaviour.refusesPasswords !== true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(errorOf({ code: 535, says: 'no such user' })),
    onConnect: (_session, done) => done(errorOf(behaviour.greet?.())),
    onRcptTo: ({ address }, _session, done) => done(errorOf(behaviour.recipient?.(address))),
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString('latin1')
        const taken: TakenEmail = {
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
          email: parseEmail(source),
          at: performance.now(),
        }
        const answer = async (): Promise<void> => {
          const refusal = await behaviour.receive?.(taken)
          if (refusal === undefined) office.taken.push(taken)
          done(errorOf(refusal), behaviour.says)
        }
        void answer()
      })
    },
  })
  // A site that is killed resets its connections.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    if (office.isAway) socket.destroy()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const office: PostOffice = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken: [],
    isAway: false,
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
  return office
}

function errorOf(refusal: Refusal | undefined): Error | null {
  if (refusal === undefined) return null
  return Object.assign(new Error(refusal.says ?? 'not now or never'), { responseCode: refusal.code })
}
