import { z } from 'zod'
import { emptyReply, jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { textField, strictBody } from '../../../http/body-fields.ts'
import { numberIdParams } from '../../../http/parameters.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import {
  badCategoryName,
  categoryExists,
  categoryFixed,
  categoryMerging,
  categoryNotFound,
  entryProhibited,
  neededByType,
} from './category-refusals.server.ts'
import {
  addCategory,
  categoryNotEmpty,
  removeCategory,
  renameCategory,
  tooManyCategories,
  mergeCategories,
  mergedWithItself,
} from './save-category.server.ts'
import { CategoriesForAdmin } from './categories-schema.ts'
import { readCategories } from './read-categories.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const categoryParams = numberIdParams('The id of the category.', categoryNotFound)
const nameBody = strictBody({ name: textField('name', 'The name of the category.') }).meta({ id: 'CategoryNameBody' })
const intoError = 'into must be the id of a category.'
const mergeBody = strictBody({
  into: z
    .int({ error: intoError })
    .min(1, intoError)
    .max(2_147_483_647, intoError)
    .meta({ description: 'The id of the other category.' }),
})

const ofNames = [badCategoryName, entryProhibited, categoryExists]
const ofChanges = [categoryNotFound, categoryFixed, categoryMerging]

/** The categories for administrators (docs/spec/catalogue.md#categories-administration). */
export const categoryRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/categories',
    summary: 'The categories, how many items each has, and merges under way.',
    answers: { 200: CategoriesForAdmin },
    handle: async (app) => jsonReply(await readCategories(app)),
  }),

  route({
    method: 'POST',
    path: '/api/categories',
    summary: 'Adds a category.',
    body: nameBody,
    answers: { 201: MessageAnswer },
    errors: [...ofNames, tooManyCategories],
    async handle(app, { viewer, body }) {
      await addCategory(app, viewer, body.name)
      await app.listing.catchUp()
      return jsonReply({ message: 'The category is added.' }, { status: 201 })
    },
  }),

  route({
    method: 'PUT',
    path: '/api/categories/:id',
    summary: 'Gives a category another name; its items follow.',
    params: categoryParams,
    body: nameBody,
    answers: { 200: MessageAnswer },
    errors: [...ofNames, ...ofChanges, neededByType],
    async handle(app, { viewer, params, body }) {
      await renameCategory(app, viewer, params.id, body.name)
      await app.listing.catchUp()
      return jsonReply({ message: 'The category is renamed.' })
    },
  }),

  route({
    method: 'POST',
    path: '/api/categories/:id/merge',
    summary: 'Begins to move all items of a category into another; then it goes.',
    params: categoryParams,
    body: mergeBody,
    answers: { 202: MessageAnswer },
    errors: [...ofChanges, mergedWithItself, neededByType],
    async handle(app, { viewer, params, body }) {
      await mergeCategories(app, viewer, { from: params.id, into: body.into })
      return jsonReply({ message: 'The category is being merged.' }, { status: 202 })
    },
  }),

  route({
    method: 'DELETE',
    path: '/api/categories/:id',
    summary: 'Removes an empty category.',
    params: categoryParams,
    answers: { 204: null },
    errors: [...ofChanges, categoryNotEmpty],
    async handle(app, { viewer, params }) {
      await removeCategory(app, viewer, params.id)
      await app.listing.catchUp()
      return emptyReply()
    },
  }),
]
