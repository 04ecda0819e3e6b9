import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { fromHtml } from '../../../../../tests/harness/rendered.ts'
import { DemoBanner } from './demo-banner.tsx'

test.each([
  [true, ['/admin/demo']],
  [false, []],
])('The administration says that it is a demo where that is %s', (isDemo, hrefs) => {
  const router = createMemoryRouter([{ id: 'root', path: '*', element: <DemoBanner /> }], {
    hydrationData: { loaderData: { root: { isDemo } } },
  })
  const shown = fromHtml(renderToString(<RouterProvider router={router} />))
  expect(shown.text.startsWith('This is a demo.')).toBe(isDemo)
  expect(shown.hrefs).toEqual(hrefs)
})
