import { index, route, type RouteConfig } from '@react-router/dev/routes'
import { freeContentTypes } from './features/catalogue/content-type.ts'

/** Every page of the site. */
export default [
  index('features/site/pages/chooser.tsx'),
  route('chooser', 'features/site/pages/chooser.tsx', { id: 'chooser' }),

  ...freeContentTypes.flatMap((section) => [
    // One spelling, one page: `/ASIAN` is nothing.
    route(section, 'features/catalogue/pages/listing.tsx', { id: section, caseSensitive: true }),
    route(`${section}/:slug`, 'features/catalogue/pages/detail.tsx', { id: `${section}-detail`, caseSensitive: true }),
  ]),

  ...['plans', 'login', 'register', 'support', 'report'].map((path) =>
    route(path, 'features/site/pages/not-open-yet.tsx', { id: path }),
  ),

  route('*', 'features/site/pages/not-found.tsx'),
] satisfies RouteConfig
