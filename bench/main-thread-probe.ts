import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/*
 * Loaded into a server that is measured (`--import`). At each SIGUSR2 it writes the longest piece of the main thread since the
 * one before, in milliseconds, to the file PROBE_FILE.
 */
const file = process.env['PROBE_FILE']
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    // Renamed when it is whole: its reader looks for it again and again.
    writeFileSync(`${file}.part`, String(delay.max / 1e6))
    renameSync(`${file}.part`, file)
    delay.reset()
  })
}
