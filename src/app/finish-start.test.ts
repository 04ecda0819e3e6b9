import { expect, it } from 'vitest'
import { openLog } from '../platform/log.ts'
import { finishStart } from './finish-start.ts'

const log = openLog('silent')

it('a step that fails once the process stops ends the start, and one that fails before is an error', async () => {
  const stopping = new AbortController()
  const fails = () => Promise.reject(new Error('Cannot use a pool after calling end on the pool'))
  await expect(finishStart({ log }, [fails], stopping)).rejects.toThrow('after calling end')
  const steps: string[] = []
  const stopped = async (): Promise<void> => {
    steps.push('first')
    stopping.abort()
    await fails()
  }
  await finishStart({ log }, [stopped, () => Promise.resolve(void steps.push('second'))], stopping)
  expect(steps).toEqual(['first'])
})
