import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchChangedSite, isSiteChanged, recordChangedSite } from './changed-site.ts'

beforeEach(async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  })
  await fetchChangedSite(() => Promise.resolve())
})
afterEach(() => vi.unstubAllGlobals())

test('A tab fetches the site anew after each change, whichever tab has made it', async () => {
  expect(isSiteChanged()).toBe(false)
  recordChangedSite(1)
  expect([isSiteChanged(), isSiteChanged()]).toEqual([true, true])
  expect(await fetchChangedSite(() => Promise.resolve('facts'))).toBe('facts')
  expect(isSiteChanged()).toBe(false)
  // Another tab writes to the same storage.
  localStorage.setItem('site-changed', '2')
  expect(isSiteChanged()).toBe(true)
})

test('A fetch that fails is made again with the next navigation', async () => {
  recordChangedSite(1)
  await expect(fetchChangedSite(() => Promise.reject(new Error('No network.')))).rejects.toThrow('No network.')
  expect(isSiteChanged()).toBe(true)
})

test('A browser that keeps nothing never fetches it anew', async () => {
  vi.stubGlobal('localStorage', undefined)
  await fetchChangedSite(() => Promise.resolve())
  recordChangedSite(3)
  expect(isSiteChanged()).toBe(false)
})
