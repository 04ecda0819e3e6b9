import { expect, test } from 'vitest'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import { differencesOf, emptyValues } from './form-values.ts'
import type { ContentAct } from './use-content-form.ts'
import { ConflictPanel } from './content-form-notices.tsx'

const base = { ...emptyValues('western'), name: 'Walden', link: 'https://mega.nz/walden' }

function shown(mine: typeof base, theirs: typeof base, act: ContentAct = 'save') {
  const nothing = (): void => undefined
  return rendered(
    <ConflictPanel
      conflict={{ theirs, version: 2, differences: differencesOf(mine, theirs, base), act }}
      mine={mine}
      hostLabels={['Mega', 'Gofile', 'Pixeldrain']}
      isSaving={false}
      onSettle={nothing}
      onBack={nothing}
    />,
  )
}

test('Two versions stand side by side, field by field, only what differs, with a choice for each', () => {
  const { text, html } = shown(
    { ...base, name: 'Mine' },
    { ...base, name: 'Theirs', linkG: 'https://gofile.io/1', 'rights.permitsDownload': true },
  )
  expect(text).toContain('Name Keep mine Mine Take theirs Theirs')
  expect(text).toContain('Gofile Keep mine Empty Take theirs https://gofile.io/1')
  expect(text).toContain('Downloads permitted Keep mine No Take theirs Yes')
  expect(text).not.toContain('mega.nz')
  expect(html.match(/checked=""/g)).toHaveLength(3)
})

test('Who has saved the same is told so', () => {
  expect(shown({ ...base, name: 'Both' }, { ...base, name: 'Both' }).text).toContain('They saved the same changes.')
})

test('Who meant to take it off the site is not offered to save it', () => {
  const { text } = shown(base, { ...base, name: 'Theirs' }, 'unpublish')
  expect(text).toContain('Take it off the site')
  expect(text).not.toContain('Save with these choices')
})
