import serifFont from '@fontsource-variable/brygada-1918/files/brygada-1918-latin-wght-normal.woff2?url'
import sansFont from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import { lazy, type ReactNode, Suspense, use } from 'react'
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation } from 'react-router'
import './ui/ui.css'
import type { Route } from './+types/root.ts'
import { ErrorPage } from './features/site/parts/error-page.tsx'
import { announcementScript } from './features/site/parts/announcement-closed.ts'
import { Footer } from './features/site/parts/footer.tsx'
import { Header } from './features/site/parts/header/header.tsx'
import { RehearsalBanner } from './features/site/parts/rehearsal-banner.tsx'
import { RouteFocus } from './features/site/parts/route-focus.tsx'
import { upgradeClosedScript } from './features/catalogue/parts/card/upgrade-closed.ts'
import { signedInScript } from './features/site/parts/signed-in-class.ts'
import { ThemeProvider, themeScript } from './features/site/parts/theme.tsx'
import { accentOf } from './features/site/section.ts'
import { useFacts } from './features/site/parts/use-facts.ts'
import { siteFacts } from './features/site/site-facts.ts'
import { databaseUnavailable } from './platform/database-outages.ts'
import { catalogueContext } from './features/catalogue/page-context.ts'
import { fetchChangedSite, isSiteChanged } from './browser/changed-site.ts'
import { keepOpenPage } from './browser/lost-page.ts'
import { OutagePage } from './ui/outage-page.tsx'
import { PageProgress } from './browser/page-progress.tsx'
import { ScriptNonce } from './ui/script-nonce.ts'
import { trustedTypes } from './browser/trusted-types.ts'

export function loader({ context }: Route.LoaderArgs) {
  const app = context.get(catalogueContext)
  const facts = siteFacts(app)
  if (app.listing.isCurrent) return data({ ...facts, outage: undefined })
  // The pages that hold nothing of the database say it as well: nothing that they lead to can be had.
  const { status, message } = databaseUnavailable()
  return data({ ...facts, outage: message }, { status })
}

export const clientMiddleware = [keepOpenPage]

/** The facts of a site are those of the page that was opened, until somebody changes them in this browser. */
export function shouldRevalidate(): boolean {
  return isSiteChanged()
}

export function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  return fetchChangedSite(serverLoader)
}

/** No page loads it that has none. */
const Announcement = lazy(() => import('./features/site/parts/announcement.tsx'))

/** Runs before anything is painted. The browser, which has run it, never writes it again, and does not load it: no page takes texts for scripts. */
const firstScript = import.meta.env.SSR
  ? `${themeScript};${signedInScript};${upgradeClosedScript};${announcementScript}`
  : (trustedTypes?.emptyHTML ?? '')

/** The frame of every page, also of those that failed. */
export function Layout({ children }: { children: ReactNode }) {
  const nonce = use(ScriptNonce)
  const scripts = nonce === undefined ? {} : { nonce }
  const { pathname } = useLocation()
  const facts = useFacts()
  return (
    // Instants are told in this zone, and calls made with this key (src/browser/format-instant.ts, client-key.ts).
    <html lang="en" data-time-zone={facts?.timeZone} data-client-key={facts?.clientApiKey}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#f8f4ec" suppressHydrationWarning />
        <Meta />
        <Links />
        {facts?.look === undefined ? null : <link rel="stylesheet" href={facts.look.sheet} />}
        {/* The same for as long as a page is open: the browser takes them from the server, and needs no script for them. */}
        {import.meta.env.SSR ? (
          <>
            {[serifFont, sansFont].map((href) => (
              <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
            ))}
            <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
            <link rel="apple-touch-icon" href="/icons/180.png" />
            <link rel="manifest" href="/site.webmanifest" />
            <link
              rel="search"
              type="application/opensearchdescription+xml"
              href="/opensearch.xml"
              title={facts?.brandName}
            />
          </>
        ) : null}
      </head>
      <body className="light-mode" suppressHydrationWarning>
        <script {...scripts} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: firstScript }} />
        <ThemeProvider>
          <div className={`page ${accentOf(pathname)}`}>
            <a className="skip-link" href="#main">
              Skip to content
            </a>
            <PageProgress />
            <RehearsalBanner />
            {facts?.look?.announcement === undefined ? null : (
              <Suspense>
                <Announcement {...facts.look.announcement} />
              </Suspense>
            )}
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

export default function Root({ loaderData: { outage } }: Route.ComponentProps) {
  return outage === undefined ? <Outlet /> : <OutagePage message={outage} />
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} />
}
