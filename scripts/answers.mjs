/** Whether something listens: `answers.mjs HOST PORT` ends with 0 or 1. */
import { connect } from 'node:net'

const [host, port] = process.argv.slice(2)
const socket = connect({ host, port: Number(port), timeout: 2_000 })
const end = (code) => process.exit(code)
socket.on('connect', () => end(0))
socket.on('error', () => end(1))
socket.on('timeout', () => end(1))
