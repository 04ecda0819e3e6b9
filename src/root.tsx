import serifFont from '@fontsource-variable/brygada-1918/files/brygada-1918-latin-wght-normal.woff2?url'
import sansFont from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { type ReactNode, use } from 'react'
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import './ui/ui.css'
import type { Route } from './+types/root.ts'
import { ErrorPage } from './features/site/parts/error-page.tsx'
import { Footer } from './features/site/parts/footer.tsx'
import { Header } from './features/site/parts/header.tsx'
import { RouteFocus } from './features/site/parts/route-focus.tsx'
import { signedInScript } from './features/site/parts/signed-in-class.ts'
import { ThemeProvider, themeScript } from './features/site/parts/theme.tsx'
import { accentOf } from './features/site/section.ts'
import { siteFacts } from './features/site/site-facts.ts'
import { appContext } from './platform/page-context.ts'
import { ScriptNonce } from './ui/script-nonce.ts'

export function links() {
  return [
    ...[serifFont, sansFont].map((href) => ({
      rel: 'preload',
      href,
      as: 'font',
      type: 'font/woff2',
      crossOrigin: 'anonymous' as const,
    })),
    { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
    { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  ]
}

export function loader({ context }: Route.LoaderArgs) {
  return siteFacts(context.get(appContext))
}

/** The facts of a site do not change while a page of it is open. */
export function shouldRevalidate(): boolean {
  return false
}

/** The frame of every page, also of those that failed. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const scripts = nonce === undefined ? {} : { nonce }
  const { pathname } = useLocation()
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#f8f4ec" suppressHydrationWarning />
        <Meta />
        <Links />
      </head>
      <body className="light-mode" suppressHydrationWarning>
        <script {...scripts} dangerouslySetInnerHTML={{ __html: `${themeScript};${signedInScript}` }} />
        <ThemeProvider>
          <div className={`page ${accentOf(pathname)}`}>
            <a className="skip-link" href="#main">
              Skip to content
            </a>
            <Progress />
            <Header />
            <main id="main" tabIndex={-1}>
              {children}
            </main>
            <Footer />
            <RouteFocus />
          </div>
        </ThemeProvider>
        <ScrollRestoration {...scripts} />
        <Scripts {...scripts} />
      </body>
    </html>
  )
}

function Progress() {
  const { state, location } = useNavigation()
  const { pathname } = useLocation()
  return state === 'loading' && location.pathname !== pathname ? <div className="progress" aria-hidden="true" /> : null
}

export default function Root() {
  return <Outlet />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
