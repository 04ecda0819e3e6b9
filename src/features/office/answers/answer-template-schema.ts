import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'

export const answerTemplatesPath = '/api/answer-templates'
export const answerTemplatesPage = '/admin/answer-templates'

export const maxTemplateName = 60
/** As much as every field takes into which one is inserted. */
export const maxTemplateText = 5_000
export const maxTemplates = 200

/** A text that administrators begin an answer with. */
export const AnswerTemplate = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  /** A change names the version that it was read with. */
  version: z.int(),
  changedAt: Instant,
})
export type AnswerTemplate = z.infer<typeof AnswerTemplate>

/** By name (GET /api/answer-templates). */
export const AnswerTemplates = z.object({ templates: z.array(AnswerTemplate) })
export type AnswerTemplates = z.infer<typeof AnswerTemplates>
