import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import {
  badParameter,
  choiceParameter,
  idParameter,
  idParams,
  lineParameter,
  numberParameter,
  pageParameter,
  textParameter,
} from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { maxEvidenceBytes } from '../evidence/evidence-media.ts'
import { badEvidenceType, emptyEvidence, storeEvidence } from '../evidence/store-evidence.server.ts'
import { listCategoryNames } from '../item/categories.server.ts'
import { encodedBody } from '../item/encoding.server.ts'
import { encoded } from '../item/item-schema.ts'
import { longestName } from '../item/longest-name.ts'
import {
  contentSections,
  type ContentSection,
  type ContentTab,
  contentTabs,
  endpointOf,
  listedStatuses,
} from './content-sections.ts'
import { CategoryNames, ContentList, ItemForAdmin, SavedFilter, SavedFilters } from './content-schema.ts'
import { ChangedItemBody, NewItemBody } from './item-body.ts'
import { maxPictureBytes, noPicture, pictureKind, tooManyPixels } from '../covers/read-picture.server.ts'
import { changeCover, removeCover } from './change-cover.server.ts'
import { listItems } from './list-items.server.ts'
import { readItemForAdmin } from './read-item-for-admin.server.ts'
import { recordNewConsent, recordWithdrawal, verifyRights } from './record-consent.server.ts'
import { changeItem, createItem, deleteItem, itemRemoved, unpublishItem } from './save-item.server.ts'
import {
  deleteFilter,
  filterExists,
  filterNotFound,
  readSavedFilters,
  saveFilter,
  tooManyFilters,
  unknownCategory,
} from './saved-filters.server.ts'
import { consentNotFound, itemNotFound } from '../item/item-errors.ts'
import { itemConflict, itemHeld, itemKeptAsRecord, itemRefused } from './refuse-item.server.ts'
import { storeFailure } from '../evidence/evidence-failures.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never' })

const maxItems = 900

const listQuery = z.object({
  page: pageParameter,
  limit: numberParameter('limit', { max: maxItems, byDefault: maxItems }),
  sortOrder: choiceParameter('sortOrder', ['ASC', 'DESC']).default('DESC').meta({ description: 'By post date.' }),
  search: textParameter('search', longestName, 'Words of the title, other titles, creators, series and tags.'),
  category: textParameter('category', 60, 'The name of a category, in any case.'),
  status: z
    .enum(['', ...listedStatuses], { error: `The parameter status must be one of ${listedStatuses.join(', ')}.` })
    .optional()
    .transform((status) => (status === '' ? undefined : status)),
  after: z.uuid({ error: 'The parameter after must be the id of an item.' }).optional().meta({
    description: 'The last item of the page before: this one goes on from there, whatever has come or gone meanwhile.',
  }),
})

const itemParams = idParams('The id of the item.', itemNotFound)
const sectionParams = z.object({ item: idParameter('The id of the item; not its slug.', itemNotFound) })
const consentParams = z.object({
  id: idParameter('The id of the item.', itemNotFound),
  consent: idParameter('The id of the consent.', consentNotFound),
})

const evidenceQuery = z.object({
  name: lineParameter('name', 200, 'The name of the file.'),
  consent: z
    .uuid({ error: 'The parameter consent must be the id of a consent.' })
    .optional()
    .meta({ description: 'The consent that it proves; without it, it proves the rights.' }),
})

const versionError = 'The parameter version must be the number that the item was read with.'
const versionQuery = z.object({
  version: z
    .string({ error: versionError })
    .regex(/^[1-9]\d{0,9}$/, versionError)
    .transform(Number)
    .meta({ description: 'The version that the item was read with.' }),
})

const RenewalBody = z.strictObject(
  {
    evidence: textField('evidence', 'The proof of the new consent; another one than before.'),
    version: ChangedItemBody.shape.version,
  },
  { error: 'Send evidence and the version of the item, and nothing else.' },
)

const VersionBody = z
  .strictObject(
    { version: ChangedItemBody.shape.version },
    { error: 'Send the version of the item, and nothing else.' },
  )
  .meta({ id: 'ItemVersionBody' })

const filterNameError = 'The name must be one line of 1 to 60 characters.'
const filterText = (name: string, max: number) => {
  const error = `${name} must be a text of at most ${max} characters.`
  return z
    .string({ error })
    .max(max, error)
    .refine((text) => text.isWellFormed() && !text.includes('\0'), error)
    .default('')
}
const FilterBody = strictBody({
  name: z
    .string({ error: filterNameError })
    .trim()
    .refine((text) => /^[^\p{Cc}]{1,60}$/u.test(text) && text.isWellFormed(), filterNameError),
  section: z.enum(contentTabs, { error: `section must be one of ${contentTabs.join(', ')}.` }).default('all'),
  search: filterText('search', longestName),
  category: filterText('category', 60),
  status: z
    .enum(['', ...listedStatuses], { error: `status must be one of ${listedStatuses.join(', ')}, or empty.` })
    .default(''),
}).meta({ id: 'SavedFilterBody' })

const filterParams = idParams('The id of the saved filter.', filterNotFound)

const EncodedContentList = encoded(ContentList, 'ContentList').meta({ id: 'EncodedContentList' })

const writeRoute = declareRoutes<CatalogueApp, Viewer>({
  access: 'admin',
  needsClientKey: true,
  needsAdminKey: true,
  caching: 'never',
  maxBodyBytes: 256 * 1024,
})

/** The items for administrators (docs/spec/catalogue.md#writing-items): an endpoint for each section, and single items. */
export const contentAdminRoutes: Route<CatalogueApp, Viewer>[] = [
  listRoute('all', 'of every type'),
  ...contentSections.flatMap(sectionRoutes),

  route({
    method: 'GET',
    path: '/api/items/:id',
    summary: 'An item of any status as administrators see it, with what keeps it from being published.',
    params: itemParams,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound],
    handle: async (app, { viewer, params }) => jsonReply(await readItemForAdmin(app, params.id, viewer)),
  }),

  route({
    method: 'GET',
    path: '/api/item-categories',
    summary: 'The names of all categories, for the form of an item.',
    answers: { 200: CategoryNames },
    handle: async (app) => jsonReply({ categories: await listCategoryNames(app.db) }),
  }),

  route({
    method: 'GET',
    path: '/api/content-filters',
    summary: 'The saved filters of the list, by name.',
    answers: { 200: SavedFilters },
    handle: async (app) => jsonReply({ filters: await readSavedFilters(app.db) }),
  }),

  route({
    method: 'POST',
    path: '/api/content-filters',
    maxBodyBytes: 16 * 1024,
    summary: 'Saves a search and filters of the list under a name, for all administrators.',
    body: FilterBody,
    answers: { 201: SavedFilter },
    errors: [filterExists, tooManyFilters, unknownCategory],
    handle: async (app, { viewer, body }) => jsonReply(await saveFilter(app, viewer, body), { status: 201 }),
  }),

  route({
    method: 'DELETE',
    path: '/api/content-filters/:id',
    summary: 'Deletes a saved filter.',
    params: filterParams,
    answers: { 204: null },
    errors: [filterNotFound],
    handle: (app, { viewer, params }) => deleteFilter(app, viewer, params.id),
  }),

  writeRoute({
    method: 'POST',
    path: '/api/items/:id/unpublish',
    summary: 'Makes a published or restricted item a draft.',
    params: itemParams,
    body: VersionBody,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, itemConflict, itemHeld, itemRefused],
    handle: async (app, { viewer, params, body }) =>
      jsonReply(await unpublishItem(app, viewer, { id: params.id, version: body.version })),
  }),

  writeRoute({
    method: 'POST',
    path: '/api/items/:id/verify',
    summary: 'Notes that the caller has verified the rights that another person has recorded.',
    params: itemParams,
    body: VersionBody,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, itemConflict, itemRefused],
    handle: async (app, { viewer, params, body }) =>
      jsonReply(await verifyRights(app, viewer, { id: params.id, version: body.version })),
  }),

  writeRoute({
    method: 'POST',
    path: '/api/items/:id/consents/:consent/withdraw',
    summary: 'Notes that a person has withdrawn their consent; a published item is restricted at once.',
    params: consentParams,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, consentNotFound],
    handle: async (app, { viewer, params }) =>
      jsonReply(await recordWithdrawal(app, viewer, { itemId: params.id, consentId: params.consent })),
  }),

  writeRoute({
    method: 'POST',
    path: '/api/items/:id/consents/:consent/renew',
    summary:
      'Notes that a person has given a withdrawn consent anew. The item stays off the site until it is published.',
    params: consentParams,
    body: RenewalBody,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, consentNotFound, itemConflict, itemHeld, itemRefused],
    handle: async (app, { viewer, params, body }) =>
      jsonReply(await recordNewConsent(app, viewer, { itemId: params.id, consentId: params.consent, ...body })),
  }),

  writeRoute({
    method: 'POST',
    path: '/api/items/:id/evidence',
    bodyKind: 'upload',
    maxBodyBytes: maxEvidenceBytes,
    summary:
      'Stores a file that proves the rights of an item, or a consent. Its header content-type says of which kind it is.',
    params: itemParams,
    query: evidenceQuery,
    answers: { 201: ItemForAdmin },
    errors: [itemNotFound, consentNotFound, badEvidenceType, emptyEvidence, storeFailure],
    async handle(app, { viewer, params, query, upload, header }) {
      const mediaType = header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
      const { name: fileName, consent: consentId } = query
      await storeEvidence(app, viewer, { itemId: params.id, consentId, fileName, mediaType, pieces: upload })
      return jsonReply(await readItemForAdmin(app, params.id, viewer), { status: 201 })
    },
  }),
  writeRoute({
    method: 'PUT',
    path: '/api/items/:id/cover',
    bodyKind: 'upload',
    maxBodyBytes: maxPictureBytes,
    summary: 'Gives an item a cover: a picture of up to 40 megapixels as JPEG, PNG or WebP. It is an edit of the item.',
    params: itemParams,
    query: versionQuery,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, itemConflict, itemHeld, itemRefused, pictureKind, noPicture, tooManyPixels, storeFailure],
    handle: async (app, { viewer, params, query, upload }) =>
      jsonReply(await changeCover(app, viewer, { id: params.id, ...query }, upload)),
  }),

  writeRoute({
    method: 'DELETE',
    path: '/api/items/:id/cover',
    summary: 'Takes the cover of an item away. It is an edit of the item.',
    params: itemParams,
    query: versionQuery,
    answers: { 200: ItemForAdmin },
    errors: [itemNotFound, itemConflict, itemHeld, itemRefused],
    handle: async (app, { viewer, params, query }) =>
      jsonReply(await removeCover(app, viewer, { id: params.id, ...query })),
  }),
]

function listRoute(tab: ContentTab, what: string): Route<CatalogueApp, Viewer> {
  return route({
    needsClientKey: true,
    method: 'GET',
    path: endpointOf(tab),
    readsReplica: true,
    summary: `The items ${what}, of every status, newest first, without their links: GET /api/items/{id} has them.`,
    query: listQuery,
    invalid: badParameter,
    answers: { 200: EncodedContentList },
    handle: async (app, { query }) => {
      const list = await listItems(app, tab, query)
      return { status: 200, body: () => encodedBody(list) }
    },
  })
}

function sectionRoutes(section: ContentSection): Route<CatalogueApp, Viewer>[] {
  const path = endpointOf(section)
  const what = section === 'vip' ? 'of the VIP types' : `of the type ${section}`
  return [
    listRoute(section, what),
    writeRoute({
      method: 'POST',
      path,
      summary: `Adds an item ${what}: a draft, or published with publish.`,
      body: NewItemBody,
      answers: { 201: ItemForAdmin },
      errors: [itemRefused],
      handle: async (app, { viewer, body }) => jsonReply(await createItem(app, viewer, section, body), { status: 201 }),
    }),
    writeRoute({
      method: 'PUT',
      path: `${path}/:item`,
      summary: `Edits an item ${what}, if nobody else has since it was read. It takes the item as GET /api/items/{id} gives it.`,
      params: sectionParams,
      body: ChangedItemBody,
      answers: { 200: ItemForAdmin },
      errors: [itemNotFound, itemConflict, itemHeld, itemRefused],
      handle: async (app, { viewer, params, body }) =>
        jsonReply(await changeItem(app, viewer, { section, id: params.item }, body)),
    }),
    writeRoute({
      method: 'DELETE',
      path: `${path}/:item`,
      summary: `Deletes an item ${what}. One that was removed from the site stays, and so does the record of a withdrawn consent.`,
      params: sectionParams,
      answers: { 204: null },
      errors: [itemNotFound, itemRemoved, itemKeptAsRecord, itemHeld, itemRefused],
      handle: (app, { viewer, params }) => deleteItem(app, viewer, { section, id: params.item }),
    }),
  ]
}
