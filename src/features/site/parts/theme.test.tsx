import { runInNewContext } from 'node:vm'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ThemeProvider, themeScript, useTheme } from './theme.tsx'

function Probe() {
  return <>{useTheme().theme}</>
}

test('the theme is light where the page is rendered', () => {
  expect(
    renderToString(
      <ThemeProvider>
        <Probe />
      </ThemeProvider>,
    ),
  ).toBe('light')
})

test('outside its provider there is no theme', () => {
  expect(() => renderToString(<Probe />)).toThrow('useTheme must be used within a ThemeProvider')
})

describe('the script at the start of the body', () => {
  function run(saved: Record<string, string>) {
    let isLight = true
    const classList = { toggle: (_: string, force: boolean) => (isLight = force) }
    const localStorage = {
      getItem: (key: string) => saved[key] ?? null,
      setItem: (key: string, value: string) => (saved[key] = value),
    }
    runInNewContext(themeScript, { localStorage, document: { body: { classList } } })
    return { isLight, saved }
  }

  test('saves light when nothing is saved', () => {
    expect(run({})).toEqual({ isLight: true, saved: { theme: 'light' } })
  })

  test('restores what was chosen', () => {
    expect(run({ theme: 'dark' })).toEqual({ isLight: false, saved: { theme: 'dark' } })
    expect(run({ theme: 'light' })).toEqual({ isLight: true, saved: { theme: 'light' } })
  })

  test('does without a storage', () => {
    expect(() => runInNewContext(themeScript, {})).not.toThrow()
  })
})
