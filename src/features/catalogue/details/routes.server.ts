import { z } from 'zod'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { storeFailure } from '../evidence/evidence-failures.ts'
import { type CoverWidth, coverWidths } from '../item/cover-address.ts'
import { coverNotFound, readCover } from './read-cover.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>()

const PictureParams = z.object({
  hash: z.string().meta({ description: 'The hash of the picture, as the field cover of the item has it.' }),
  file: z
    .string()
    .meta({ description: `Its width and kind: ${coverWidths.map((width) => `${width}.webp`).join(', ')}.` }),
})

/** The picture at an address stays the same, but a removal takes it away: nobody keeps it longer than this without asking. */
const picturesHeaders = { 'cache-control': 'public, max-age=60, immutable' }

/** The pictures of items (docs/spec/publishing.md#covers). */
export const coverRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    access: 'anyone',
    method: 'GET',
    path: '/covers/:hash/:file',
    caching: 'shared',
    summary: 'The cover of an item that the caller may see, in one of three widths.',
    params: PictureParams,
    answers: { 200: new FileAnswer('image/webp') },
    errors: [coverNotFound, storeFailure],
    async handle(app, { viewer, params: { hash, file } }) {
      const width = coverWidths.find((each): each is CoverWidth => file === `${each}.webp`)
      if (width === undefined) throw coverNotFound()
      const { bytes, scope } = await readCover(app, viewer, { hash, width })
      return {
        status: 200,
        mediaType: 'image/webp',
        contentKey: `${hash} ${width}`,
        scope,
        headers: picturesHeaders,
        body: () => bytes,
      }
    },
  }),
]
