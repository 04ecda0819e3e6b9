import { isDeepStrictEqual } from 'node:util'
import { safeParse } from 'zod/v4/core'
import errorCodes from '../../docs/api/errors.json' with { type: 'json' }
import { pages } from '../../src/app/pages.ts'
import { routes } from '../../src/app/server.ts'
import { isFormType } from '../../src/http/body.ts'
import { errorsEverywhere, errorsOfRoute } from '../../src/http/docs/errors-of-route.ts'
import { ErrorAnswer } from '../../src/http/docs/error-answers.ts'
import { probePaths } from '../../src/http/health.ts'
import { Matcher } from '../../src/http/match.ts'
import { FileAnswer } from '../../src/http/route.ts'
import type { TestResponse } from './request.ts'

const matcher = new Matcher(routes, pages, probePaths)

/**
 * Holds an answer to what its route declares: the status, each member of the JSON, and the code of an error.
 * @param contentType of the request: a form goes to a page where one takes it
 * @throws when it does not fit
 */
export function holdAnswer(method: string, address: string, answer: TestResponse, contentType?: string): void {
  const path = URL.parse(address)?.pathname
  const match = path === undefined ? undefined : matcher.match(method, path, isFormType(contentType))
  if (match?.kind !== 'route' || answer.headers['content-encoding'] !== undefined || answer.status === 304) return
  const { route } = match
  const reported = `${method} ${route.path} answered ${answer.status}: ${answer.text.slice(0, 2_000)}`
  if (answer.status >= 400) {
    const { data } = ErrorAnswer.safeParse(answer.json())
    if (data === undefined) throw new Error(`This error has not the shape of errors. ${reported}`)
    const declared = [...errorsOfRoute(route), ...errorsEverywhere].includes(data.code)
    if (!declared) throw new Error(`The route does not declare the error ${data.code}. ${reported}`)
    const explained = errorCodes.find(({ code }) => code === data.code)
    if (![explained?.status].flat().includes(answer.status))
      throw new Error(`The code ${data.code} has another status. ${reported}`)
    const members = new Set([...Object.keys(ErrorAnswer.shape), ...Object.keys(explained?.members ?? {})])
    const undeclared = Object.keys(data).filter((name) => !members.has(name))
    if (undeclared.length > 0)
      throw new Error(`The code ${data.code} does not declare ${undeclared.join(', ')}. ${reported}`)
    return
  }
  const schema = route.answers[answer.status]
  if (schema === undefined) throw new Error(`The route does not declare this status. ${reported}`)
  if (schema === null) {
    if (answer.bytes.length > 0) throw new Error(`The route declares no body. ${reported}`)
    return
  }
  if (schema instanceof FileAnswer) {
    const type = answer.headers['content-type'] ?? ''
    if (!schema.mediaTypes.includes(type))
      throw new Error(`The route declares no file of the type ${type}. ${reported}`)
    return
  }
  const json = answer.json()
  const { data, error } = safeParse(schema, json)
  if (error !== undefined) throw new Error(`The answer does not fit its schema: ${error.message} ${reported}`)
  // A schema drops the members that it does not know: all must be declared.
  if (!isDeepStrictEqual(data, json))
    throw new Error(`The answer has members that its schema does not declare. ${reported}`)
}
