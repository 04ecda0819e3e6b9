import { z } from 'zod'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { foldText } from '../item/name-text.ts'
import { ProhibitedNames } from './prohibited-names-schema.ts'
import {
  maxAdded,
  prohibitedNamesConflict,
  readProhibitedNames,
  saveProhibitedNames,
} from './save-prohibited-names.server.ts'

const route = declareRoutes<CatalogueApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 256 * 1024 })

const longest = 60

/** Terms, folded as they are stored; repeats count once. */
function termList(list: string) {
  const error = `Each term must have 2 to ${longest} characters, with two letters or digits among them.`
  const term = z
    .string({ error })
    .refine((text) => text.isWellFormed() && !text.includes('\0') && [...text.trim()].length <= longest, error)
    .transform(foldText)
    .refine((text) => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2, error)
  return z.array(term, { error: `${list} must be a list of terms.` }).transform((terms) => [...new Set(terms)])
}

const versionError = 'version must be the number that the lists were read with.'

const NamesBody = z.strictObject(
  {
    refused: termList('refused').meta({
      description: `Terms that no name may contain, at most ${maxAdded} of your own.`,
    }),
    pairs: z.strictObject(
      {
        minority: termList('minority').meta({ description: 'Terms that no name may contain beside one of `sexual`.' }),
        sexual: termList('sexual').meta({ description: 'Terms that no name may contain beside one of `minority`.' }),
      },
      { error: 'pairs must hold minority and sexual, and nothing else.' },
    ),
    version: z.int({ error: versionError }).min(0, versionError).max(1_000_000_000, versionError),
    builtIn: z.unknown().meta({ description: 'Ignored: what is built in stays.' }).optional(),
  },
  { error: 'Send refused, pairs and version, and nothing else.' },
)

/** The prohibited names for administrators (docs/spec/publishing.md#prohibited-names-screen). */
export const prohibitedNamesRoutes: Route<CatalogueApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/prohibited-names',
    summary: 'The terms that no name of an entry, a category or a request may hold.',
    answers: { 200: ProhibitedNames },
    handle: async (app) => jsonReply(await readProhibitedNames(app.db)),
  }),

  route({
    method: 'PUT',
    path: '/api/prohibited-names',
    summary: 'Saves the prohibited names, if nobody else has since they were read. Built-in ones stay.',
    body: NamesBody,
    answers: { 200: ProhibitedNames },
    errors: [prohibitedNamesConflict],
    handle: async (app, { viewer, body }) => jsonReply(await saveProhibitedNames(app, viewer, body)),
  }),
]
