import * as z from 'zod/mini'

export const CategoryForAdmin = z.object({
  id: z.int(),
  name: z.string(),
  /** It belongs to pages of its own, and stays as it is. */
  isFixed: z.boolean(),
  /** Items of every status. */
  items: z.int(),
  published: z.int(),
  /** While it goes into another: that one, and how many items have moved. */
  merging: z.nullable(z.object({ into: z.string(), moved: z.int() })),
})
export type CategoryForAdmin = z.infer<typeof CategoryForAdmin>

export const CategoriesForAdmin = z.object({
  categories: z.array(CategoryForAdmin),
  /** Merges that stopped in the last week, the newest first. */
  stopped: z.array(
    z.object({
      from: z.string(),
      into: z.string(),
      sentence: z.string(),
      refused: z.array(z.object({ name: z.string(), reason: z.string() })),
    }),
  ),
})
export type CategoriesForAdmin = z.infer<typeof CategoriesForAdmin>
