import * as z from 'zod/mini'

export const longestQuery = 200

const Found = z.object({ title: z.string(), facts: z.string(), to: z.string() })

/** The results of the administration's search, in groups; none that is empty (GET /api/admin/search). */
export const AdminSearch = z.object({
  groups: z.array(z.object({ name: z.string(), results: z.array(Found) })),
})
export type AdminSearch = z.infer<typeof AdminSearch>
