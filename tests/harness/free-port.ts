import { createServer } from 'node:net'

/**
 * @returns a port of the loopback address that is free, and so is the next one.
 * It lies below those that the system hands out, so that no connection and no server without a port of its own takes it
 * before the test does.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    if ((await isFree(port)) && (await isFree(port + 1))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((answer) => {
    server.once('error', () => answer(false))
    server.listen(port, '127.0.0.1', () => server.close(() => answer(true)))
  })
}
