import { defineError, presentError } from '../../../platform/errors.ts'
import type { JsonReply } from '../../../http/route.ts'
import { recogniseAppPassword } from '../../accounts/app-passwords/recognise-app-password.server.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import { features } from '../features.server.ts'
import { opds2Types } from './write-opds2.server.ts'

export type OpdsVersion = '1.2' | '2.0'

const roleSources = features.flatMap(({ roles = [] }) => roles)

export const readerUnknown = defineError({
  code: 'opds.sign_in',
  status: 401,
  sentence: 'Sign in with your email address and an app password. You make one on your account page.',
  members: {
    id: 'in version 2.0 the address of this document, as Authentication for OPDS has it.',
    title: 'in version 2.0 the name of the site.',
    description: 'in version 2.0 the same sentence.',
    links: 'in version 2.0 links to further pages.',
    authentication: 'in version 2.0 how to sign in.',
  },
  remedy:
    'Send HTTP Basic with the address of a member and an app password (POST /account/app-passwords). The password of the account itself opens nothing here.',
})

/** The answer to readers who are to sign in: in version 2.0 it is an authentication document as well. */
export function signInReply({ config, texts }: SiteApp, version: OpdsVersion): JsonReply {
  const { publicUrl } = config
  const { message, ...rest } = presentError(readerUnknown()).body
  const document = {
    id: `${publicUrl}/opds/v2?auth=1`,
    title: texts.inForce.brandName,
    description: message,
    links: [
      { rel: 'help', href: `${publicUrl}/account`, type: 'text/html' },
      { rel: 'register', href: `${publicUrl}/register`, type: 'text/html' },
    ],
    authentication: [
      { type: 'http://opds-spec.org/auth/basic', labels: { login: 'Email address', password: 'App password' } },
    ],
  }
  return {
    status: 401,
    ...(version === '2.0' ? { mediaType: opds2Types.signIn } : {}),
    headers: { 'www-authenticate': 'Basic realm="OPDS catalogue", charset="UTF-8"' },
    body: () => JSON.stringify({ ...rest, message, ...(version === '2.0' ? document : {}) }),
  }
}

/**
 * The member behind HTTP Basic. Bearers are recognised as everywhere.
 * @throws {AppError} `limit.exceeded`, 429
 */
export async function recogniseReader(
  app: SiteApp,
  { authorization, address }: { authorization: string; address: string },
  version: OpdsVersion,
): Promise<{ viewer: Viewer } | { reply: JsonReply } | undefined> {
  if (/^bearer /i.test(authorization)) return undefined
  const credentials = credentialsIn(authorization)
  const viewer = credentials && (await recogniseAppPassword(app, { ...credentials, address }, roleSources))
  return viewer === undefined ? { reply: signInReply(app, version) } : { viewer }
}

function credentialsIn(authorization: string): { email: string; password: string } | undefined {
  const [, encoded = ''] = /^Basic +([\w+/=-]+) *$/i.exec(authorization) ?? []
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  // The database knows no character zero.
  if (colon < 0 || text.includes('\0')) return undefined
  return { email: text.slice(0, colon), password: text.slice(colon + 1) }
}
