import { createHash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { pages } from './src/app/pages.ts'
import type { Page } from './src/http/pages/page.ts'

/** What every page needs and no change of ours touches. Not the entry: it must run last, after the page's modules. */
const framework =
  /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|[\\/]src[\\/]browser[\\/]lost-page\.ts$|vite[\\/]preload-helper/

const ownSource = /[\\/]src[\\/]/

const source = (file: string): string => fileURLToPath(new URL(`src/${file}`, import.meta.url))

/**
 * The rooms of members: what two of their pages share is one file, whose name stands in the list that everybody loads.
 * The site only puts pages together: its own files belong to all visitors. The pages of a reader's memory share what lists need.
 */
const membersRooms = [
  'browser',
  'features/office',
  ...pages.filter(isOfMembers).map(({ file }) => dirname(dirname(file))),
]
  .filter((room) => room !== 'features/site' && room !== 'features/catalogue/reading')
  .map((room) => source(room) + sep)

/** What keeps pages for times without a connection is every visitor's. */
const keptRoom = source('browser/kept') + sep

function isInMembersRooms(id: string): boolean {
  const path = pathOf(id)
  return membersRooms.some((room) => path.startsWith(room)) && !path.startsWith(keptRoom)
}

/** A member's own page. Those of VIPs and administrators stand inside a guard, which comes with the members' file. */
function isOfMembers(page: Page): boolean {
  return page.kind === 'shell' && page.access !== 'vip' && page.access !== 'admin'
}

/** Where visitors come first. */
const entrances = new Set(
  pages.filter((page) => page.kind === 'public' && page.isEntrance === true).map(({ file }) => source(file)),
)

/** The frame of every page, and the pages of everybody. */
const publicModules = new Set([
  ...['root.tsx', 'entry.client.tsx'].map(source),
  ...pages.filter(({ kind }) => kind === 'public').map(({ file }) => source(file)),
])

/** The frame and every page, and the pages for administrators. */
const pageModules = new Set([...publicModules, ...pages.map(({ file }) => source(file))])
const administratorsPages = new Set(
  pages.filter((page) => page.kind === 'shell' && page.access === 'admin').map(({ file }) => source(file)),
)

/** The pages of everybody that show one thing of many. */
const detailPages = new Set(
  pages.filter(({ kind, path }) => kind === 'public' && path.includes('/:')).map(({ file }) => source(file)),
)

/** What only the pages of members and administrators ask with. Whatever leads to it must not lie in a file of other pages. */
const queryLibrary = /[\\/]node_modules[\\/]@tanstack[\\/]/
/** The schemas of answers, which the header of members needs too. */
const schemaLibrary = /[\\/]node_modules[\\/]zod[\\/]/

/** Whether a module, or one that it loads with itself, is of a library. */
function leadsTo(library: RegExp, id: string, context: Rolldown.ChunkingContext): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    if (library.test(each)) return true
    for (const imported of context.getModuleInfo(each)?.importedIds ?? []) seen.add(imported)
  }
  return false
}

/** Which file takes what several pages of members share; what they only ask for later lies in none of these. */
function membersFile(id: string, context: Rolldown.ChunkingContext): 'members' | 'schemas' | 'queries' | null {
  if (isAskedForLater(id, context) || isOfAdministrators(id, context)) return null
  if (leadsTo(queryLibrary, id, context)) return 'queries'
  return leadsTo(schemaLibrary, id, context) ? 'schemas' : 'members'
}

/**
 * Which file takes what every visitor loads: with the frame of the site or with a listing, and not only asked for by them
 * later. What these do not need, such as forms and menus, must not lie in a file that they load; and what a listing shares
 * with the lists of VIPs alone is none of the other pages' business.
 */
function visitorsFile(id: string, context: Rolldown.ChunkingContext): 'shared' | 'list' | null {
  const loadedBy = publicModulesWith(id, context)
  if ([...loadedBy].every((file) => entrances.has(file))) return loadedBy.size === 0 ? null : 'list'
  return [...loadedBy].some(
    (file) => entrances.has(file) || !file.slice(source('').length).includes(`${sep}pages${sep}`),
  )
    ? 'shared'
    : null
}

/** The frame and the pages of everybody that load a module with themselves. */
function publicModulesWith(id: string, context: Rolldown.ChunkingContext): Set<string> {
  return modulesWith(id, context, publicModules)
}

/** Whether the pages of administrators alone load a module: no file of members takes it. */
function isOfAdministrators(id: string, context: Rolldown.ChunkingContext): boolean {
  const loadedBy = modulesWith(id, context, pageModules)
  return loadedBy.size > 0 && [...loadedBy].every((file) => administratorsPages.has(file))
}

/** Whether no page, and nothing that stands around pages, loads a module with itself. */
function isAskedForLater(id: string, context: Rolldown.ChunkingContext): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    const module = context.getModuleInfo(each)
    if (module?.isEntry === true) return false
    for (const importer of module?.importers ?? []) seen.add(importer)
  }
  return true
}

/** Which of these modules load a module with themselves. */
function modulesWith(id: string, context: Rolldown.ChunkingContext, wanted: ReadonlySet<string>): Set<string> {
  const seen = new Set([id])
  const found = new Set<string>()
  for (const each of seen) {
    if (wanted.has(pathOf(each))) found.add(pathOf(each))
    for (const importer of context.getModuleInfo(each)?.importers ?? []) seen.add(importer)
  }
  return found
}

/** Whether the page of a single thing loads a module: visitors have it without the file of members. */
function isOfDetails(id: string, context: Rolldown.ChunkingContext): boolean {
  return [...publicModulesWith(id, context)].some((file) => detailPages.has(file))
}

/** A module's file: React Router adds to the name of a page's module which half of it is meant. */
function pathOf(id: string): string {
  return normalize(id.split('?')[0] ?? id)
}

/** Markup that pages take from a library (docs/spec/http.md#trusted-types): none. */
const noMarkup = '(globalThis.trustedTypes?.emptyHTML ?? "")'

/** Places of React Router and React that are other here: file, text, and what stands there instead. */
const amendments = [
  // Left out: `react-router.config.ts` sends all routes at once, none are discovered one by one.
  ['/react-router/', '/dom/ssr/fog-of-war.js', '!isFogOfWarEnabled(routeDiscovery, ssr)', 'true'],
  // Left out: `entry.client.tsx` gives no instrumentations.
  ['/react-router/', '/router/router.js', 'init.instrumentations', 'undefined'],
  // Mended: data that fails while a style sheet is awaited is no unhandled rejection.
  ['/react-router/', '/dom/ssr/routes.js', 'return handler();', 'return await handler();'],
  // Scripts that the server has written and the browser has run are not written again: pages take no text for markup.
  ['/react-router/', '/dom/ssr/components.js', '{ __html: contextScript }', `{ __html: ${noMarkup} }`],
  ['/react-router/', '/dom/ssr/components.js', '{ __html: routeModulesScript }', `{ __html: ${noMarkup} }`],
  // Structured data are for readers that load each page whole.
  ['/react-router/', '/dom/ssr/components.js', '{ __html: escapeHtml(json) }', `{ __html: ${noMarkup} }`],
  [
    '/react-router/',
    '/dom/ssr/errorBoundaries.js',
    'let heyDeveloper = /* @__PURE__ */ React$1.createElement("script", {',
    'let heyDeveloper = void ({',
  ],
  [
    '/react-router/',
    '/dom/lib.js',
    '{ __html: `(${restoreScroll})(${escapeHtml(JSON.stringify(storageKey || SCROLL_RESTORATION_STORAGE_KEY))}, ${escapeHtml(JSON.stringify(ssrKey))})` }',
    `{ __html: ${noMarkup} }`,
  ],
  // React makes the element of a script out of markup, so that it never runs. Without a text there is nothing to run.
  [
    '/react-dom/',
    '/react-dom-client.production.js',
    'nextResource.innerHTML = "<script>\\x3c/script>";',
    'nextResource.appendChild(ownerDocument.createElement("script"));',
  ],
] as const

/**
 * What this site wants otherwise than React Router and React have it, in the browser alone: `loadRouteModule` of
 * `src/browser/lost-page.ts` stands in for its own, and the amendments. A version in which one of these places is not found
 * does not build. `npm run dev` does without: there the router comes as one file, and nobody counts its bytes.
 */
function ownRouter(): Plugin {
  const ownModule = '/routeModules.js'
  const toDo = new Set<string>([ownModule, ...amendments.map(([, , text]) => text)])
  return {
    name: 'own-router',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    resolveId(source, importer) {
      if (!source.endsWith(ownModule) || importer?.includes('/react-router/') !== true) return undefined
      toDo.delete(ownModule)
      return fileURLToPath(new URL('src/browser/lost-page.ts', import.meta.url))
    },
    transform(code, id) {
      const wanted = amendments.filter(
        ([library, file, text]) => id.includes(library) && id.endsWith(file) && code.includes(text),
      )
      if (wanted.length === 0) return undefined
      for (const [, , text] of wanted) toDo.delete(text)
      return wanted.reduce((amended, [, , text, instead]) => amended.replaceAll(text, () => instead), code)
    },
    buildEnd(error) {
      if (error === undefined && toDo.size > 0)
        this.error(`React Router or React is not as it was: look at ${[...toDo].join(' and ')}.`)
    },
  }
}

/**
 * The service worker, as one file of its own. It names the files of its build, so that each build has another one, which
 * keeps the frame anew.
 */
function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async writeBundle({ dir = '' }, bundle) {
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        build: {
          target: 'es2023',
          outDir: dir,
          emptyOutDir: false,
          lib: {
            entry: source('browser/kept/service-worker.ts'),
            formats: ['iife'],
            name: 'worker',
            fileName: () => 'service-worker.js',
          },
        },
      })
      const files = createHash('sha256').update(Object.keys(bundle).toSorted().join()).digest('base64url')
      await appendFile(join(dir, 'service-worker.js'), `// ${files}\n`)
    },
  }
}

export default defineConfig({
  plugins: [ownRouter(), serviceWorker(), reactRouter()],
  build: { target: 'es2023', sourcemap: false, assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Few large files compress better than many small ones: what pages share is in a handful, not in twenty.
            // Every page carries the names of all. The bundler takes no shorter ones.
            entryFileNames: 'assets/[name]-[hash:7].js',
            chunkFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework },
                {
                  name: (id, context) => (visitorsFile(id, context) === 'shared' ? 'shared' : null),
                  test: ownSource,
                  minShareCount: 2,
                },
                {
                  name: (id, context) => (visitorsFile(id, context) === 'list' ? 'list' : null),
                  test: ownSource,
                },
                {
                  name: (id, context) => (isOfDetails(id, context) ? 'calls' : null),
                  // Also what lies in a room of members: the pages of everybody load no file of members.
                  test: (id) => isInMembersRooms(id) || pathOf(id).startsWith(source('ui') + sep),
                  minShareCount: 2,
                },
                {
                  name: (id, context) => (membersFile(id, context) === 'members' ? 'members' : null),
                  test: isInMembersRooms,
                  minShareCount: 2,
                },
                {
                  name: (id, context) => (membersFile(id, context) === 'schemas' ? 'schemas' : null),
                  test: (id) => isInMembersRooms(id) || schemaLibrary.test(id) || ownSource.test(id),
                  minShareCount: 2,
                },
                {
                  name: (id, context) => (membersFile(id, context) === 'queries' ? 'queries' : null),
                  test: (id) => isInMembersRooms(id) || queryLibrary.test(id),
                  minShareCount: 2,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Libraries of many files are read much faster in one; with them go those that they alone need.
      resolve: {
        noExternal: [
          /^@tanstack\//,
          'cookie-es',
          'cron-parser',
          'hono',
          'kysely',
          'luxon',
          'pg-boss',
          'react-router',
          'rrule-temporal',
          'zod',
        ],
      },
      build: {
        // Read when a stack is written (platform/source-places.ts).
        sourcemap: true,
        // All in one folder (platform/package-files.ts), and under names that stay: a server that runs while another build takes
        // its place finds what it loads later.
        rollupOptions: {
          input: {
            index: './src/pages.server.ts',
            daybook: './src/daybook.ts',
            sandbox: './sandbox/main.ts',
            'merge-names': './src/features/catalogue/index/names/merge-names-worker.server.ts',
          },
          output: {
            chunkFileNames: '[name].js',
            sourcemapExcludeSources: true,
            // V8 keeps the text of what it runs, in two bytes a sign where one of them is not of Latin-1. Names stay, for traces.
            charset: 'ascii',
            minify: { compress: true, mangle: false, codegen: true },
          },
        },
      },
    },
  },
})
