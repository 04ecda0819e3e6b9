import { appendFileSync } from 'node:fs'
import { Socket } from 'node:net'

/* Loaded before a process's own code: writes down every connection that it opens, into the file RECORDED_CONNECTIONS. */

const { connect } = Socket.prototype
Socket.prototype.connect = function (...how) {
  const [{ host, port, path } = {}] = [how.flat()[0]]
  appendFileSync(process.env.RECORDED_CONNECTIONS, `${JSON.stringify({ host, port, path })}\n`)
  return connect.apply(this, how)
}
