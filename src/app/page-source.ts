import type { Server } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Pages } from '../http/pages/pages.ts'
import { packageRoot } from '../platform/package-files.ts'
import type { App } from './app.ts'

/** The source of the pages: `npm start` serves the build, `npm run dev` the sources. */
export interface PageSource {
  assetsDirectory: string
  open(app: App): Promise<Pages>
  /**
   * Takes its own requests before the server does, which does not listen yet.
   * @returns how to stop; the connections that it holds have ended then
   */
  attach?(server: Server): Promise<() => Promise<void>>
}

const build = join(packageRoot, 'build')

export const builtPages: PageSource = {
  assetsDirectory: join(build, 'client'),
  async open(app) {
    const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
      openPages: (app: App) => Pages
    }
    return openPages(app)
  },
}
