import { z } from 'zod'

/*
 * OPDS 2.0 and Authentication for OPDS 1.0, written for these tests from the text of the drafts: stricter than they are where the site
 * promises more. Their own JSON schemas are not part of this repository, because they name no licence.
 */

const rels = (link: { rel?: string | undefined }) => link.rel
const hasRel = (links: readonly { rel?: string | undefined }[], rel: string): boolean =>
  links.some((link) => rels(link) === rel)

const Href = z
  .string()
  .min(1)
  .refine((href) => URL.canParse(href, 'https://library.example'))
const Link = z.strictObject({
  rel: z.string().min(1),
  href: Href,
  type: z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/),
  title: z.string().min(1).optional(),
  templated: z.literal(true).optional(),
  properties: z.strictObject({ numberOfItems: z.int().nonnegative() }).optional(),
  size: z.int().nonnegative().optional(),
})
const Linked = z.strictObject({
  name: z.string().min(1),
  position: z.number().optional(),
  links: z.array(Link).length(1),
})

/** A publication has a link to itself, one to acquire it, and a picture that every reader shows. */
export const OpdsPublication = z.strictObject({
  metadata: z.strictObject({
    '@type': z.url(),
    identifier: z.string().regex(/^urn:uuid:[0-9a-f-]{36}$/),
    title: z.string().min(1),
    author: z.array(Linked).min(1).optional(),
    language: z
      .array(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/))
      .min(1)
      .optional(),
    modified: z.iso.datetime(),
    description: z.string().min(1).optional(),
    subject: z.array(Linked).min(1),
    belongsTo: z.strictObject({ series: z.array(Linked).length(1) }).optional(),
    rights: z.string().min(1),
  }),
  links: z
    .array(Link)
    .refine((links) => hasRel(links, 'self') && hasRel(links, 'http://opds-spec.org/acquisition'))
    .refine((links) =>
      links.every(({ rel, title }) => rel !== 'http://opds-spec.org/acquisition' || title !== undefined),
    ),
  images: z
    .array(z.strictObject({ href: Href, type: z.string() }))
    .refine((images) => images.some(({ type }) => ['image/jpeg', 'image/png', 'image/gif'].includes(type))),
})

const head = {
  metadata: z.strictObject({
    title: z.string().min(1),
    modified: z.iso.datetime(),
    numberOfItems: z.int().nonnegative(),
    itemsPerPage: z.int().positive(),
    currentPage: z.int().positive(),
  }),
  links: z
    .array(Link)
    .refine((links) => hasRel(links, 'self') && hasRel(links, 'start'))
    .refine((links) => links.every(({ rel, templated }) => (rel === 'search') === (templated === true))),
}

export const OpdsFeed = z.union([
  z.strictObject({ ...head, navigation: z.array(Link.required({ title: true })) }),
  z.strictObject({ ...head, publications: z.array(OpdsPublication) }),
])

/** Beside it stand the members of every error of this site. */
export const AuthenticationDocument = z.strictObject({
  error: z.string(),
  message: z.string(),
  code: z.string(),
  id: z.url(),
  title: z.string().min(1),
  description: z.string().min(1),
  links: z.array(z.strictObject({ rel: z.enum(['help', 'register']), href: z.url(), type: z.string() })),
  authentication: z
    .array(
      z.strictObject({
        type: z.literal('http://opds-spec.org/auth/basic'),
        labels: z.strictObject({ login: z.string().min(1), password: z.string().min(1) }),
      }),
    )
    .length(1),
})
