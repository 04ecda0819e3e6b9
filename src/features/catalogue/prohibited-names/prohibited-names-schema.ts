import * as z from 'zod/mini'

const Lists = {
  refused: z.array(z.string()),
  pairs: z.object({ minority: z.array(z.string()), sexual: z.array(z.string()) }),
}

/** The prohibited names (GET and PUT /api/prohibited-names). Each list holds the built-in ones and those that were added. */
export const ProhibitedNames = z.object({
  ...Lists,
  version: z.number(),
  /** Those of every site. They stay. */
  builtIn: z.object(Lists),
})
export type ProhibitedNames = z.infer<typeof ProhibitedNames>

/** The saved terms: the built-in ones stay, whether they are sent or not. */
export type WantedNames = Omit<ProhibitedNames, 'builtIn'>
