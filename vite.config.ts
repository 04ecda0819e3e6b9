import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Rolldown } from 'vite'

/** What every page needs and no change of ours touches. Not the entry: it must run last, after the page's modules. */
const framework = /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/

const ours = /[\\/]src[\\/]/
/** The rooms of members: what two of their pages share is one file, whose name stands in the list that everybody loads. */
const membersRooms = /[\\/]src[\\/]features[\\/](accounts|membership)[\\/]/
/** What every visitor loads. What these do not need, such as forms and menus, must not lie in a file that they load. */
const everyVisitors = /[\\/]src[\\/](root\.tsx|features[\\/]catalogue[\\/]pages[\\/]listing\.tsx)/

/** Whether a module is loaded with the frame of the site or with a listing, and not only asked for by them later. */
function isEveryVisitors(id: string, context: Rolldown.ChunkingContext): boolean {
  const seen = new Set([id])
  for (const each of seen) {
    if (everyVisitors.test(each)) return true
    for (const importer of context.getModuleInfo(each)?.importers ?? []) seen.add(importer)
  }
  return false
}

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2023', sourcemap: false, assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Few large files compress better than many small ones: what pages share is in three, not in ten.
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework },
                {
                  name: (id, context) => (isEveryVisitors(id, context) ? 'shared' : null),
                  test: ours,
                  minShareCount: 2,
                },
                { name: 'members', test: membersRooms, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: { build: { rollupOptions: { input: './src/pages.server.ts' } } },
  },
})
