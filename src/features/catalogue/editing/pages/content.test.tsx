import { renderToString } from 'react-dom/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import { fromHtml } from '../../../../../tests/harness/rendered.ts'
import ContentRoute from './content.tsx'

test('The content leads to the other screens about it', () => {
  const site = { fileHosts: [], timeZone: 'UTC' }
  const router = createMemoryRouter([{ id: 'root', path: '*', element: <ContentRoute /> }], {
    hydrationData: { loaderData: { root: site } },
  })
  const { hrefs } = fromHtml(renderToString(<RouterProvider router={router} />))
  for (const path of ['/admin-vip-users', '/admin/stats']) expect(hrefs).toContain(path)
})
