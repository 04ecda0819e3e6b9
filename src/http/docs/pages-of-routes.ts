import { bodyLimitOf, type DocumentedRoute, keysOf, sortedRoutes } from './documented-route.ts'
import type { ErrorCode } from './error-code.ts'
import { errorsOfRoute, isEverywhere } from './errors-of-route.ts'
import { proofOf } from '../route.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

/**
 * docs/routes.md.
 * @param openApi where the OpenAPI document stands, from there
 */
export function routesPage(
  routes: readonly DocumentedRoute[],
  { writtenBy, openApi }: { writtenBy: string; openApi: string },
): string {
  const rows = sortedRoutes(routes).map((route) => [
    route.method,
    `\`${route.path}\``,
    route.access,
    keysOf(route).join(', '),
    proofInWords(route),
    bodyLimitOf(route) ?? '',
    route.caching,
    route.rateLimit ?? '',
    route.summary,
  ])
  return page('Routes of the HTTP interface', writtenBy, [
    'Proof: how old the last proof of who calls may be ([the rule](spec/accounts.md#proof)).',
    '',
    `Bodies, answers and errors of each route stand in [${openApi}](${openApi}), which every site shows as a page, too; those of feeds, pictures and other documents do not.`,
    '',
    ...table(
      [
        'Method',
        'Path, as the log has it',
        'Access',
        'Keys',
        'Proof',
        'Body limit',
        'Caching',
        'Rate limit',
        'Summary',
      ],
      rows,
    ),
  ])
}

function proofInWords(route: DocumentedRoute): string {
  const minutes = proofOf(route)
  return minutes === undefined ? '' : `${minutes} min`
}

/** docs/errors.md. */
export function errorsPage(
  errorCodes: readonly ErrorCode[],
  routes: readonly DocumentedRoute[],
  writtenBy: string,
): string {
  const sorted = sortedRoutes(routes)
  const rows = [...errorCodes]
    .sort((a, b) => (a.code < b.code ? -1 : 1))
    .map((each) => [
      `<a id="${each.code}"></a>\`${each.code}\``,
      [each.status].flat().join(', '),
      each.sentences.join('<br>'),
      whereFrom(each, sorted),
      each.remedy,
    ])
  return page('Error codes', writtenBy, [
    'Every error is JSON: `message` (and the same as `error`) is a sentence for people, `code` is for programs and stays the same, `field` names what is at fault. In the sentences here, … stands for a value.',
    '',
    ...table(['Code', 'Status', 'Sentence', 'Where from', 'What to do'], rows),
  ])
}

/** Few routes by name, many by number: the reference lists the codes of each. */
function whereFrom({ code, isOfCommand }: ErrorCode, routes: readonly DocumentedRoute[]): string {
  if (isOfCommand === true) return 'commands'
  if (isEverywhere(code)) return 'every route'
  const own = routes.filter((route) => errorsOfRoute(route).includes(code))
  if (own.length === 0) return 'the server'
  return own.length > 4 ? `${own.length} routes` : own.map(({ method, path }) => `\`${method} ${path}\``).join('<br>')
}

function page(title: string, writtenBy: string, lines: readonly string[]): string {
  const note = `Written by \`${writtenBy}\`; the test fails when this page and the code differ.`
  return [`# ${title}`, '', note, '', ...lines, ''].join('\n')
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)]
}
