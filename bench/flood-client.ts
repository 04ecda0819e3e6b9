import { connect } from 'node:net'
import { clientKey, post, request } from './load.ts'

/** The requests of a flood, from a process of their own: they must not slow down the clock of the honest member. */
export interface FloodOrder {
  kind: FloodKind
  port: number
  /** The address of the attacked account. */
  email: string
  /** Accounts that anybody may open, with their right password. */
  accounts: string[]
  password: string
}

export type FloodKind = 'sign-ins' | 'pipelined addresses' | 'wrong passwords' | 'forgotten passwords'

/** How many answers of each status there were. */
export type FloodTold = Record<string, number>

const connections = 64
const pipelines = 16
const pipelined = 400

process.once('message', (order: FloodOrder) => {
  const answers: FloodTold = {}
  let sent = 0
  let isOver = false
  process.once('message', () => {
    isOver = true
    process.send?.(answers, () => process.exit())
  })
  const isPipeline = order.kind === 'pipelined addresses'
  for (let i = 0; i < (isPipeline ? pipelines : connections); i += 1) drive(i)

  function drive(i: number): void {
    const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
    let due = 0
    const send = (): void => {
      const parts = Array.from({ length: isPipeline ? pipelined : 1 }, () => requestOf(order, (sent += 1), i))
      due = parts.length
      socket.write(Buffer.concat(parts))
    }
    socket.on('connect', send)
    socket.on('data', (data: Buffer) => {
      for (const [, status = ''] of data.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
        answers[status] = (answers[status] ?? 0) + 1
        due -= 1
      }
      if (due <= 0 && !isOver) send()
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      // The flood goes on.
      if (!isOver) setTimeout(() => drive(i), 10)
    })
  }
})
process.once('disconnect', () => process.exit())

/** An address that nobody has come from. */
const stranger = (number: number): string => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

function requestOf({ kind, email, accounts, password }: FloodOrder, number: number, connection: number): Buffer {
  const elsewhere = { 'x-forwarded-for': stranger(number) }
  switch (kind) {
    case 'sign-ins': {
      // Half of them right ones of a few accounts, from four addresses; the others come from everywhere.
      const right = { email: accounts[number % accounts.length], password }
      const wrong = { email: `stranger-${number}@readers.example`, password: 'a guess' }
      return number % 2 === 0
        ? post('/auth/login', right, { 'x-forwarded-for': `198.51.100.${number % 4}` })
        : post('/auth/login', wrong, elsewhere)
    }
    case 'pipelined addresses':
      return request(`/asian?search=flood%20${number}`, {
        ...clientKey,
        'x-forwarded-for': `198.51.100.${connection % 4}`,
      })
    case 'wrong passwords':
      return post('/auth/login', { email, password: `a guess ${number}` }, elsewhere)
    case 'forgotten passwords':
      return post('/forgot-password', { email }, elsewhere)
  }
}
