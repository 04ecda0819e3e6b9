import { describe, expect, it } from 'vitest'
import { Compressions } from './compressions.ts'
import { openLog } from '../../platform/log.ts'

const wait = () => new Promise<void>((wake) => setImmediate(wake))

/** Work that is over when it is told to be. */
class Works {
  underway = 0
  max = 0
  #ends: (() => void)[] = []

  begin = async (): Promise<void> => {
    this.underway += 1
    this.max = Math.max(this.max, this.underway)
    await new Promise<void>((end) => this.#ends.push(end))
    this.underway -= 1
  }

  async endAll(): Promise<void> {
    while (this.#ends.length > 0) {
      this.#ends.shift()?.()
      await wait()
    }
  }
}

describe('the line of compressions', () => {
  it('makes two at once, all in the end, and says when it is long', async () => {
    const compressions = new Compressions(openLog('silent'))
    const works = new Works()
    expect(compressions.isBusy).toBe(false)
    const all = Array.from({ length: 50 }, () => compressions.inTurn(works.begin))
    await wait()
    expect(works.underway).toBe(2)
    expect(compressions.isBusy).toBe(true)
    await works.endAll()
    await Promise.all(all)
    expect(works.max).toBe(2)
    expect(compressions.isBusy).toBe(false)
  })

  it('goes on after one that failed', async () => {
    const compressions = new Compressions(openLog('silent'))
    const failing = Array.from({ length: 4 }, () => compressions.inTurn(() => Promise.reject(new Error('no'))))
    for (const each of failing) await expect(each).rejects.toThrow('no')
    expect(await compressions.inTurn(() => Promise.resolve('yes'))).toBe('yes')
  })

  it('improves one at a time, when nobody is waiting', async () => {
    const compressions = new Compressions(openLog('silent'))
    const [wanted, better] = [new Works(), new Works()]
    const first = compressions.inTurn(wanted.begin)
    for (let i = 0; i < 3; i += 1) expect(compressions.whenIdle(better.begin)).toBe(true)
    await wait()
    expect(better.underway).toBe(0)
    await wanted.endAll()
    await first
    await wait()
    expect(better.underway).toBe(1)
    await better.endAll()
    expect(better.max).toBe(1)
    expect(better.underway).toBe(0)
  })

  it('puts off no more than it can remember, and an improvement that fails ends nothing', async () => {
    const compressions = new Compressions(openLog('silent'))
    const works = new Works()
    const busy = compressions.inTurn(works.begin)
    let taken = 0
    while (compressions.whenIdle(() => Promise.reject(new Error('no')))) taken += 1
    expect(taken).toBe(64)
    await works.endAll()
    await busy
    let isDone = false
    await expect
      .poll(() =>
        compressions.whenIdle(async () => {
          isDone = true
        }),
      )
      .toBe(true)
    await expect.poll(() => isDone).toBe(true)
  })
})
