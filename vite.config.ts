import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig } from 'vite'

/** What every page needs and no change of ours touches. Not the entry: it must run last, after the page's modules. */
const framework = /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  build: { target: 'es2023', sourcemap: false, assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // Few large files compress better than many small ones: what pages share is in two, not in ten.
            codeSplitting: {
              groups: [
                { name: 'framework', test: framework },
                { name: 'shared', test: /[\\/]src[\\/]/, minShareCount: 2 },
              ],
            },
          },
        },
      },
    },
    ssr: { build: { rollupOptions: { input: './src/pages.server.ts' } } },
  },
})
