import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dropDraft, forgetDrafts, saveDraft, readDraft } from './saved-draft.ts'

beforeEach(() => {
  const kept: Record<string, unknown> = {}
  const methods = {
    getItem: (key: string) => (kept[key] as string | undefined) ?? null,
    setItem: (key: string, text: string) => {
      kept[key] = text
    },
    removeItem: (key: string) => {
      delete kept[key]
    },
  }
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(kept, name, { value, enumerable: false })
  vi.stubGlobal('localStorage', kept)
})
afterEach(() => vi.unstubAllGlobals())

test('a draft is kept for one form and one person, whatever the case of their address', () => {
  saveDraft('Ada@readers.example', 'item 1', { name: 'Walden' })
  expect(readDraft('ada@readers.example', 'item 1')).toEqual({ name: 'Walden' })
  expect(readDraft('ada@readers.example', 'item 2')).toBeUndefined()
  expect(readDraft('eve@readers.example', 'item 1')).toBeUndefined()
  dropDraft('ada@readers.example', 'item 1')
  expect(readDraft('ada@readers.example', 'item 1')).toBeUndefined()
})

test('signing out forgets all drafts, and nothing else', () => {
  localStorage.setItem('theme', 'dark')
  saveDraft('ada@readers.example', 'item 1', {})
  saveDraft('eve@readers.example', 'item 2', {})
  forgetDrafts()
  expect(Object.keys(localStorage)).toEqual(['theme'])
})

test('a browser that keeps nothing, and text that is none of ours, are no failure', () => {
  localStorage.setItem('draft ada@readers.example item 1', '{half')
  expect(readDraft('ada@readers.example', 'item 1')).toBeUndefined()
  vi.stubGlobal('localStorage', undefined)
  saveDraft('ada@readers.example', 'item 1', {})
  forgetDrafts()
  expect(readDraft('ada@readers.example', 'item 1')).toBeUndefined()
})
