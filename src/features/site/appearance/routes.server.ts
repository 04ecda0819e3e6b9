import { z } from 'zod'
import { notFound } from '../../../http/match.ts'
import { badParameter, onlyParameters } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, FileAnswer, type Route } from '../../../http/route.ts'
import { flagField, textField, strictBody } from '../../../http/body-fields.ts'
import { noPicture, pictureKind, tooManyPixels } from '../../catalogue/covers/read-picture.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { AppearanceForAdmin, StoredMark } from './appearance-schema.ts'
import { maxMarkBytes, mostLinks, noAppearance } from './appearance.ts'
import { readMark, storeMark } from './brand-marks.server.ts'
import { sheetOf, storedAppearance } from './look.ts'
import { appearanceConflict, badAppearance, readAppearance, saveAppearance } from './save-appearance.server.ts'

const route = declareRoutes<SiteApp, Viewer>()

const versionError = 'version must be the number that the appearance was read with.'

const AppearanceBody = strictBody({
  version: z.int({ error: versionError }).min(0, versionError).max(1_000_000_000, versionError),
  appearance: z
    .strictObject({
      colours: z.strictObject({
        asian: textField('colours.asian', 'Like `#7a3fb0`; empty for the built-in colour.'),
        western: textField('colours.western', 'Likewise.'),
        unknown: textField('colours.unknown', 'Likewise.'),
        vip: textField('colours.vip', 'Likewise.'),
      }),
      links: z
        .array(z.strictObject({ label: textField('label', 'Its words.'), to: textField('to', 'Its address.') }))
        .meta({ description: `Up to ${mostLinks} further links of the header.` }),
      banner: z.strictObject({
        text: textField('banner.text', 'The announcement; empty: none.'),
        to: textField('banner.to', 'The page that it leads to.'),
        from: textField('banner.from', 'The first day, in the time zone of the site.'),
        until: textField('banner.until', 'The last day.'),
      }),
      mark: textField('mark', 'The mark that POST /api/appearance/mark has stored; empty: the ribbon.'),
      hidesName: flagField('hidesName', 'Whether the mark stands without the name.'),
    })
    .nullable()
    .meta({ description: 'Null restores the defaults.' }),
})

/** How the site looks (docs/spec/pages.md#appearance). */
export const appearanceRoutes: Route<SiteApp, Viewer>[] = [
  route({
    access: 'admin',
    method: 'GET',
    path: '/api/appearance',
    caching: 'never',
    summary: 'How the site looks, as administrators change it.',
    answers: { 200: AppearanceForAdmin },
    handle: async (app) => jsonReply(await readAppearance(app)),
  }),
  route({
    access: 'admin',
    method: 'PUT',
    path: '/api/appearance',
    caching: 'never',
    maxBodyBytes: 32 * 1024,
    summary: 'Saves how the site looks, if nobody else has since it was read. It is in force at once.',
    body: AppearanceBody,
    answers: { 200: AppearanceForAdmin },
    errors: [badAppearance, appearanceConflict],
    async handle(app, { viewer, body }) {
      try {
        return jsonReply(await saveAppearance(app, viewer, body))
      } finally {
        await app.listing.catchUp()
      }
    },
  }),
  route({
    access: 'admin',
    method: 'POST',
    path: '/api/appearance/mark',
    bodyKind: 'upload',
    caching: 'never',
    maxBodyBytes: maxMarkBytes,
    summary: 'Stores a picture as a mark: JPEG, PNG or WebP of up to 2 MB. It is shown once the appearance names it.',
    answers: { 200: StoredMark },
    errors: [pictureKind, noPicture, tooManyPixels],
    handle: async (app, { upload }) => jsonReply({ mark: await storeMark(app, upload) }),
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/appearance.css',
    caching: 'shared',
    isDocument: true,
    summary: 'The colours of the shelves, where administrators have changed them.',
    query: onlyParameters(['v']),
    invalid: badParameter,
    answers: { 200: new FileAnswer('text/css; charset=utf-8') },
    errors: [badParameter],
    handle({ texts, listing }, { query }) {
      const { text, version } = sheetOf(storedAppearance(texts) ?? noAppearance)
      // A cache keeps no sheet under the address of another one.
      const isItsOwn = query['v'] === version
      return Promise.resolve({
        status: 200,
        mediaType: 'text/css; charset=utf-8',
        scope: listing.scopeOfSettings(),
        body: () => text,
        headers: { 'cache-control': isItsOwn ? 'public, max-age=86400' : 'no-cache' },
      })
    },
  }),
  route({
    access: 'anyone',
    method: 'GET',
    path: '/marks/:file',
    caching: 'shared',
    isDocument: true,
    summary: 'The mark of the site in its header.',
    params: z.object({ file: z.string().meta({ description: 'The hash of the picture, and `.webp`.' }) }),
    answers: { 200: new FileAnswer('image/webp') },
    errors: [notFound],
    async handle(app, { params: { file } }) {
      const [, hash] = /^([0-9a-f]{32})\.webp$/.exec(file) ?? []
      const picture = hash === undefined ? undefined : await readMark(app, hash)
      if (picture === undefined) throw notFound()
      return {
        status: 200,
        mediaType: 'image/webp',
        scope: app.listing.scopeOfSettings(),
        body: () => picture,
        headers: { 'cache-control': 'public, max-age=31536000, immutable' },
      }
    },
  }),
]
