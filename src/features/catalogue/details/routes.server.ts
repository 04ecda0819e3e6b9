import { z } from 'zod'
import { declareRoutes, FileAnswer, type Route, type RouteReply } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { drawingEdition } from '../covers/drawn/drawn-work.ts'
import { keptPicture } from '../covers/drawn/kept-pictures.server.ts'
import { storeFailure } from '../evidence/evidence-failures.ts'
import { type CoverWidth, coverWidths } from '../item/cover-address.ts'
import { coverNotFound, readCover, findDrawnWork, type FoundWork } from './read-cover.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'anyone', caching: 'shared', isDocument: true })

const PictureParams = z.object({
  hash: z.string().meta({ description: 'The hash of the picture, as the field cover of the item has it.' }),
  file: z
    .string()
    .meta({ description: `Its width and kind: ${coverWidths.map((width) => `${width}.webp`).join(', ')}.` }),
})

const DrawnParams = z.object({
  file: z.string().meta({ description: 'The slug of the item, alone or with `.svg` or `.png`.' }),
})

/** The picture at an address stays the same, but a removal takes it away: nobody keeps it longer than this without asking. */
const picturesHeaders = { 'cache-control': 'public, max-age=60, immutable' }

/** The pictures of items (docs/spec/publishing.md#covers). */
export const coverRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/covers/:hash/:file',
    summary: 'The cover of an item that the caller may see, in one of three widths.',
    params: PictureParams,
    answers: { 200: new FileAnswer('image/webp') },
    errors: [coverNotFound, storeFailure],
    async handle(app, { viewer, params: { hash, file } }) {
      const width = coverWidths.find((each): each is CoverWidth => file === `${each}.webp`)
      if (width === undefined) throw coverNotFound()
      const { bytes, scope } = await readCover(app, viewer, { hash, width })
      return { ...pictureReply(bytes, `${hash} ${width}`), scope, headers: picturesHeaders }
    },
  }),

  route({
    method: 'GET',
    path: '/covers/:file',
    summary:
      'The cover of an item that the caller may see, uploaded or drawn, by its slug; {slug}.svg is always the drawn one, {slug}.png the picture for those who share its page.',
    params: DrawnParams,
    answers: { 200: new FileAnswer('image/svg+xml', 'image/png', 'image/webp') },
    errors: [coverNotFound, storeFailure],
    async handle(app, { viewer, params: { file } }) {
      const [, slug = '', kind = ''] = /^([a-z0-9-]{1,120})(?:\.(svg|png))?$/.exec(file) ?? []
      if (kind === '') return coverReply(app, viewer, slug)
      const found = await findDrawnWork(app, viewer, slug)
      if (found === undefined) throw coverNotFound()
      return kind === 'png' ? shareReply(app, viewer, found) : drawnReply(found)
    },
  }),
]

/**
 * The cover of an item that a viewer may see now, as it is kept or drawn.
 * @throws {AppError} `cover.not_found`, 404; `evidence.store`, 503
 */
export async function coverReply(app: CatalogueApp, viewer: Viewer, slug: string): Promise<RouteReply> {
  const found = await findDrawnWork(app, viewer, slug)
  if (found === undefined) throw coverNotFound()
  const { cover: hash, scope } = found
  if (hash === undefined) return drawnReply(found)
  const { bytes } = await readCover(app, viewer, { hash, width: 320 })
  const more = scope === undefined ? {} : { scope }
  return { ...pictureReply(bytes, `${hash} 320`), ...more, headers: drawnHeaders }
}

/**
 * The same as JPEG, which every reading program shows.
 * @throws {AppError} as `coverReply`; `site.busy`, 503
 */
export async function photoReply(app: CatalogueApp, viewer: Viewer, slug: string): Promise<RouteReply> {
  const found = await findDrawnWork(app, viewer, slug)
  if (found === undefined) throw coverNotFound()
  const { work, cover, scope } = found
  const contentKey = `jpeg ${drawingEdition} ${cover ?? ''} ${JSON.stringify(work)}`
  const bytes = await keptPicture(app.config.dataDir, { content: contentKey, cover }, async () => {
    const { drawPhoto } = await import('../covers/drawn/draw-share-picture.server.ts')
    return drawPhoto(
      work,
      cover === undefined ? undefined : (await readCover(app, viewer, { hash: cover, width: 320 })).bytes,
    )
  })
  const more = scope === undefined ? {} : { scope }
  return { status: 200, mediaType: 'image/jpeg', contentKey, ...more, headers: drawnHeaders, body: () => bytes }
}

const drawnHeaders = { 'cache-control': 'public, max-age=60' }

function pictureReply(bytes: Buffer, contentKey: string) {
  return { status: 200, mediaType: 'image/webp', contentKey, body: () => bytes }
}

/** The drawing is loaded with the first cover: a start pays nothing for it. */
async function drawnReply({ work, scope }: FoundWork): Promise<RouteReply> {
  const { drawCover } = await import('../covers/drawn/draw-cover.server.ts')
  return {
    status: 200,
    mediaType: 'image/svg+xml',
    contentKey: `${drawingEdition} ${JSON.stringify(work)}`,
    ...(scope === undefined ? {} : { scope }),
    headers: drawnHeaders,
    body: () => drawCover(work),
  }
}

async function shareReply(app: CatalogueApp, viewer: Viewer, { work, cover, scope }: FoundWork): Promise<RouteReply> {
  const brand = app.texts.inForce.brandName
  const contentKey = `${drawingEdition} ${brand} ${cover ?? ''} ${JSON.stringify(work)}`
  const bytes = await keptPicture(app.config.dataDir, { content: contentKey, cover }, async () => {
    const { drawSharePicture } = await import('../covers/drawn/draw-share-picture.server.ts')
    const stored = cover === undefined ? undefined : await readCover(app, viewer, { hash: cover, width: 640 })
    return drawSharePicture(work, brand, stored?.bytes)
  })
  return {
    status: 200,
    mediaType: 'image/png',
    contentKey,
    ...(scope === undefined ? {} : { scope }),
    headers: drawnHeaders,
    body: () => bytes,
  }
}
