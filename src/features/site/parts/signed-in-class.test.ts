import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { signedInScript } from './signed-in-class.ts'

function run(remembered: Record<string, string>, ofTheTab: Record<string, string>): string[] {
  const classes: string[] = []
  const storage = (saved: Record<string, string>) => ({ getItem: (key: string) => saved[key] ?? null })
  const document = { body: { classList: { add: (name: string) => classes.push(name) } } }
  runInNewContext(signedInScript, { localStorage: storage(remembered), sessionStorage: storage(ofTheTab), document })
  return classes
}

describe('the script at the start of the body', () => {
  test('marks the body where there is a session, remembered or of the tab', () => {
    expect(run({ Token: 'x' }, {})).toEqual(['signed-in'])
    expect(run({}, { Token: 'x' })).toEqual(['signed-in'])
  })

  test('leaves a visitor alone', () => {
    expect(run({ name: 'x' }, {})).toEqual([])
  })

  test('does without a storage', () => {
    expect(() => runInNewContext(signedInScript, {})).not.toThrow()
  })
})
