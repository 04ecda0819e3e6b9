import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { upgradeClosed, upgradeClosedClass, upgradeClosedScript, upgradeKey } from './upgrade-closed.ts'

test('The script at the start of the body hides the panel where it was closed, and nowhere else', () => {
  const run = (saved: Record<string, string>): string[] => {
    const classes: string[] = []
    const localStorage = { getItem: (key: string) => saved[key] ?? null }
    const document = { body: { classList: { add: (name: string) => classes.push(name) } } }
    runInNewContext(upgradeClosedScript, { localStorage, document })
    return classes
  }
  expect(run({ [upgradeKey]: upgradeClosed })).toEqual([upgradeClosedClass])
  expect(run({})).toEqual([])
  expect(() => runInNewContext(upgradeClosedScript, {})).not.toThrow()
})
