import { z } from 'zod'
import { textField, strictBody } from '../../../http/body-fields.ts'
import { idParams } from '../../../http/parameters.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { defineError } from '../../../platform/errors.ts'
import type { OfficeApp } from '../app.ts'
import type { Viewer } from '../viewer/viewer.ts'
import {
  addAnswerTemplate,
  deleteAnswerTemplate,
  noSuchTemplate,
  readAnswerTemplates,
  saveAnswerTemplate,
  templateConflict,
  templateNameTaken,
  tooManyTemplates,
} from './answer-templates.server.ts'
import { AnswerTemplate, AnswerTemplates, maxTemplateName, maxTemplateText } from './answer-template-schema.ts'

const route = declareRoutes<OfficeApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 64 * 1024 })

const params = idParams('The id of the template.', noSuchTemplate)

const badTemplate = defineError({ code: 'template.invalid', status: 422, remedy: 'Correct the field.' })

function written(name: string, max: number, description: string) {
  const error = `${name} must be a text of 1 to ${max.toLocaleString('en-US')} characters.`
  return textField(name, description)
    .transform((text) => text.replaceAll('\r\n', '\n').trim())
    .refine((text) => text !== '' && [...text].length <= max && text.isWellFormed() && !text.includes('\0'), error)
}

const versionError = 'version must be the number that the template was read with.'
const version = z.int({ error: versionError }).min(1, versionError).max(1_000_000_000, versionError)
const fields = {
  name: written('name', maxTemplateName, 'The name that administrators choose it by.').refine(
    (text) => !/\p{Cc}/u.test(text),
    'name must be one line.',
  ),
  text: written('text', maxTemplateText, 'The text that it puts into a field.'),
}

/** Answer templates (docs/spec/pages.md#answer-templates). */
export const answerTemplateRoutes: Route<OfficeApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/answer-templates',
    summary: 'The templates of answers, by name.',
    answers: { 200: AnswerTemplates },
    handle: async (app) => jsonReply({ templates: await readAnswerTemplates(app) }),
  }),
  route({
    method: 'POST',
    path: '/api/answer-templates',
    summary: 'Adds a template of answers.',
    body: strictBody(fields),
    invalid: badTemplate,
    answers: { 201: AnswerTemplate },
    errors: [templateNameTaken, tooManyTemplates],
    handle: async (app, { viewer, body }) => jsonReply(await addAnswerTemplate(app, viewer, body), { status: 201 }),
  }),
  route({
    method: 'PUT',
    path: '/api/answer-templates/:id',
    summary: 'Writes a template of answers, over the version that was read.',
    params,
    body: strictBody({ ...fields, version }),
    invalid: badTemplate,
    answers: { 200: AnswerTemplate },
    errors: [noSuchTemplate, templateConflict, templateNameTaken],
    handle: async (app, { viewer, params: { id }, body }) =>
      jsonReply(await saveAnswerTemplate(app, viewer, { id, ...body })),
  }),
  route({
    method: 'POST',
    path: '/api/answer-templates/:id/delete',
    summary: 'Deletes a template of answers in the version that was read.',
    params,
    body: strictBody({ version }),
    invalid: badTemplate,
    answers: { 204: null },
    errors: [noSuchTemplate, templateConflict],
    handle: (app, { viewer, params: { id }, body }) => deleteAnswerTemplate(app, viewer, { id, ...body }),
  }),
]
