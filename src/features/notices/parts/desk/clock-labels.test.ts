import { expect, test } from 'vitest'
import { clockNames } from '../../notice/notice-kinds.ts'
import { clockLabels } from './clock-left.tsx'

test('every clock says what it waits for', () => {
  expect(new Set(clockNames.map((name) => clockLabels[name])).size).toBe(clockNames.length)
})
