import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { prepareDataDir } from '../harness/data-dir.ts'
import { kill, type Started, startProcess } from '../harness/processes.ts'
import { sequence } from '../harness/sequence.ts'

let dataDir: string
let running: Started | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-killed-'))
  await prepareDataDir(dataDir)
})
afterEach(async () => {
  if (running !== undefined) await kill(running)
  await rm(dataDir, { recursive: true, force: true })
})

/** By hand more: `KILLS=50 SEED=5`. */
const kills = Number(process.env['KILLS'] ?? 3)

test(
  'a process that is killed while its catalogue is filled, edited, merged or saved answers as SQL does when it is back',
  async () => {
    const random = sequence(Number(process.env['SEED'] ?? 23))
    for (let round = 0; round <= kills; round += 1) {
      const one = startProcess(['tests/harness/edit-until-killed.ts', '1200', `${round}`], { DATA_DIR: dataDir })
      running = one
      // Some in the middle of an edit, some while the image is saved.
      await one.said(round === 0 ? /made/ : round % 3 === 1 ? /closing/ : /right/)
      await sleep(random() * (round % 3 === 1 ? 60 : 2_000))
      // One that was not killed in time has ended in order.
      one.child.kill('SIGKILL')
      expect(['SIGKILL', 0], one.output()).toContain(await one.ended)
      expect(one.err()).toBe('')
    }
  },
  (kills + 3) * 20_000,
)
