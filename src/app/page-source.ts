import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pages } from '../http/pages/pages.ts'
import { packageRoot } from '../platform/package-files.ts'
import type { App } from './app.ts'

/** The source of the pages: `npm start` serves the build, `npm run dev` the sources. */
export interface PageSource {
  assetsDirectory: string
  /** Loads the programs of the pages in advance, in time that is waited anyway; without it `open` does. */
  load?(): void
  open(app: App): Promise<Pages>
  /**
   * Takes its own requests before the server does, which does not listen yet.
   * @returns how to stop; the connections that it holds have ended then
   */
  attach?(server: Server): Promise<() => Promise<void>>
}

const build = join(packageRoot, 'build')

/** Node loads them once, however often it is asked. */
const programs = (): Promise<{ openPages: (app: App) => Pages }> =>
  import(pathToFileURL(join(build, 'server', 'index.js')).href) as Promise<{ openPages: (app: App) => Pages }>

export const builtPages: PageSource = {
  assetsDirectory: join(build, 'client'),
  load() {
    programs().catch(() => {
      // Thrown by `open`.
    })
  },
  async open(app) {
    const { openPages } = await programs()
    return openPages(app)
  },
}
