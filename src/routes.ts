import { index, layout, route, type RouteConfig } from '@react-router/dev/routes'
import { freeContentTypes, vipContentTypes } from './features/catalogue/content-type.ts'

/** Every page of the site. */
export default [
  index('features/site/pages/chooser.tsx'),
  route('chooser', 'features/site/pages/chooser.tsx', { id: 'chooser' }),

  ...freeContentTypes.flatMap((section) => [
    // One spelling, one page: the server sends `/ASIAN` on to `/asian`.
    route(section, 'features/catalogue/pages/listing.tsx', { id: section, caseSensitive: true }),
    route(`${section}/:slug`, 'features/catalogue/pages/detail.tsx', { id: `${section}-detail`, caseSensitive: true }),
  ]),

  ...['login', 'register', 'forgot-password', 'reset-password'].map((path) =>
    route(path, `features/accounts/pages/${path}.tsx`, { id: path }),
  ),
  ...['plans', 'success', 'cancel', 'account'].map((path) =>
    route(path, `features/membership/pages/${path}.tsx`, { id: path }),
  ),

  ...['support', 'report'].map((path) => route(path, 'features/site/pages/not-open-yet.tsx', { id: path })),

  layout('features/site/pages/vip-door.tsx', [
    route('vip', 'features/site/pages/vip-chooser.tsx', { id: 'vip', caseSensitive: true }),
    unopened('vip/:slug'),
    ...vipContentTypes.filter((section) => section !== 'vip').map((section) => unopened(`${section}/:slug?`)),
  ]),
  layout('features/site/pages/admin-door.tsx', [
    route('admin/billing', 'features/membership/pages/billing.tsx', { id: 'admin/billing', caseSensitive: true }),
    route('admin/billing/:id', 'features/membership/pages/member-billing.tsx', {
      id: 'admin/billing/:id',
      caseSensitive: true,
    }),
    ...['admin/settings', 'admin/stats', 'admin/requests', 'admin-vip-users', 'admin-vip-disabled'].map((path) =>
      unopened(path),
    ),
  ]),

  route('*', 'features/site/pages/not-found.tsx'),
] satisfies RouteConfig

function unopened(path: string): ReturnType<typeof route> {
  return route(path, 'features/site/pages/unopened-room.tsx', { id: path, caseSensitive: true })
}
