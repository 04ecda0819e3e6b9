import { expect, test } from 'vitest'
import { itemForAdmin } from '../../../../../tests/harness/item-for-admin.ts'
import { rendered } from '../../../../../tests/harness/rendered.ts'
import type { ItemForAdmin } from '../content-schema.ts'
import { ContentForm } from './content-form.tsx'
import { emptyValues, pathsOf } from './form-values.ts'
import { ItemField } from './item-field.tsx'

const nothing = (): void => undefined

const fileHosts = ['Mega', 'Gofile', 'Pixeldrain'].map((label) => ({ label, domains: [] }))

function shown(changes: Partial<ItemForAdmin>) {
  return rendered(
    <ContentForm
      item={{ ...itemForAdmin, ...changes }}
      section="western"
      categories={['Literature']}
      whose="ada@desk.example"
      site={{ fileHosts, timeZone: 'UTC' }}
      notice={null}
      onSaved={nothing}
      onRecorded={nothing}
      onGone={nothing}
      onClose={nothing}
    />,
  )
}

test('Addresses and days have the fields of the browser', () => {
  const { html } = shown({})
  expect(html).toMatch(/<input(?=[^>]* name="link")[^>]* type="url"/)
  expect(html).toMatch(/<input(?=[^>]* name="postDate")[^>]* type="date"/)
})

test.each(['rights.basis', 'rights.evidence', 'rights.permitsDownload', 'people'] as const)(
  'A fault of %s is told beside its field',
  (path) => {
    expect([...pathsOf('rights'), ...pathsOf('people')]).toContain(path)
    const { html } = rendered(
      <ItemField path={path} values={emptyValues('western')} problem="It is not recorded." onChange={nothing} />,
    )
    const [, problem] = /aria-invalid="true"[^>]* aria-describedby="([^"]+)"/.exec(html) ?? []
    expect(html).toContain(`<p id="${problem}" class="field-problem" role="alert">It is not recorded.</p>`)
  },
)

test.each([
  ['draft', 'Save draft Publish Close'],
  ['published', 'Save Unpublish Close'],
  ['restricted', 'Save Publish Make it a draft Close'],
] as const)('The steps of an entry that is %s', (status, steps) => {
  const { text, hrefs } = shown({ status })
  expect(text).toContain(`${steps} View as visitor`)
  expect(hrefs).toEqual(['visitor', 'vip'].map((view) => `/admin/preview/${itemForAdmin.id}?as=${view}`))
})

test('A consent that was withdrawn says so, and is renewed; it is neither withdrawn again nor removed', () => {
  const consent = {
    id: 'c',
    pseudonym: 'The sitter',
    permitsPublication: true,
    permitsDownload: true,
    evidence: 'A form.',
    verifiedAdult: 'yes',
    validTo: null,
  } as const
  const said = (withdrawnAt: string | null): string =>
    shown({ people: 'identifiable', consents: [{ ...consent, withdrawnAt }] }).text
  expect(said(null)).toContain('Agreed to downloads Record a withdrawal of The sitter Remove The sitter')
  const withdrawn = said('2024-03-06T00:00:00Z')
  expect(withdrawn).toContain('This consent was withdrawn. Record a new consent of The sitter')
  expect(withdrawn).not.toMatch(/Record a withdrawal|Remove The sitter/)
})
