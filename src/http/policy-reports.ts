import { z } from 'zod'
import { defineError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'

/** The recorded part of a browser's report: no query, no whole address, nothing of the visitor. */
interface Violation {
  /** The directive of the policy, such as `script-src-elem`. */
  directive: string
  /** The refused source: an origin or a word such as `inline`. */
  blocked: string
  /** The first part of the page's path. The rest may be a secret, such as a ticket. */
  page: string
  /** The script that tried, with its line; empty where the browser does not say. */
  source: string
  /** The beginning of the text, where the browser gives it. */
  sample: string
}

/** Kinds of one minute; further ones are only counted. */
const maxKinds = 10
const maxOfOneBody = 20
const maxText = 120

/**
 * Counts what browsers tell of the policy of pages (docs/spec/http.md#policy-reports): one line a minute with the number and a few
 * of them, never one for each. Anybody may send such a report, so it is a hint and no proof.
 */
export class PolicyReports {
  readonly #log: () => Log
  readonly #everyMs: number
  readonly #kinds = new Map<string, Violation & { times: number }>()
  #count = 0
  #timer: NodeJS.Timeout | undefined

  constructor(log: () => Log, everyMs = 60_000) {
    this.#log = log
    this.#everyMs = everyMs
  }

  /**
   * @param body as the browser has sent it, in either format
   * @throws {AppError} `report.invalid`, 400, for what is no report
   */
  receive(body: Buffer): void {
    for (const violation of readReports(body)) this.#add(violation)
  }

  /** Tells what has been counted since the last line, if anything. */
  write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#count === 0) return
    this.#log().warn(
      { reports: this.#count, samples: [...this.#kinds.values()] },
      "Browsers report that a page's content security policy has refused something.",
    )
    this.#count = 0
    this.#kinds.clear()
  }

  #add(violation: Violation): void {
    this.#count += 1
    this.#timer ??= setTimeout(() => this.write(), this.#everyMs).unref()
    const key = JSON.stringify(violation)
    const known = this.#kinds.get(key)
    if (known !== undefined) known.times += 1
    else if (this.#kinds.size < maxKinds) this.#kinds.set(key, { ...violation, times: 1 })
  }
}

const text = z.string().catch('')
const line = z.number().optional().catch(undefined)

/** The body for the address in `report-uri`. */
const OldReport = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'source-file': text,
    'line-number': line,
    'script-sample': text,
  }),
})

/** The body for the endpoint in `report-to`: several reports at once, and of other kinds as well. */
const Report = z.object({
  type: z.literal('csp-violation'),
  body: z.object({
    documentURL: text,
    effectiveDirective: text,
    blockedURL: text,
    sourceFile: text,
    lineNumber: line,
    sample: text,
  }),
})

function readReports(body: Buffer): Violation[] {
  let content: unknown
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw noReport()
  }
  if (Array.isArray(content)) {
    return content.slice(0, maxOfOneBody).flatMap((each) => {
      const { data } = Report.safeParse(each)
      if (data === undefined) return []
      const { documentURL, effectiveDirective, blockedURL, sourceFile, lineNumber, sample } = data.body
      return [violationOf(documentURL, effectiveDirective, blockedURL, sourceFile, lineNumber, sample)]
    })
  }
  const { data } = OldReport.safeParse(content)
  if (data === undefined) throw noReport()
  const report = data['csp-report']
  const directive = report['effective-directive'] === '' ? report['violated-directive'] : report['effective-directive']
  return [
    violationOf(
      report['document-uri'],
      directive,
      report['blocked-uri'],
      report['source-file'],
      report['line-number'],
      report['script-sample'],
    ),
  ]
}

function violationOf(
  page: string,
  directive: string,
  blocked: string,
  sourceFile: string,
  lineNumber: number | undefined,
  sample: string,
): Violation {
  const source = URL.parse(sourceFile)
  return {
    directive: short(directive.split(' ')[0] ?? ''),
    // `data:` and the like have no origin.
    blocked: short(originOf(blocked)),
    page: short(`/${URL.parse(page)?.pathname.split('/')[1] ?? ''}`),
    source: source === null ? '' : short(`${source.origin}${pathOfSource(source)}:${lineNumber ?? 0}`),
    sample: short(sample.slice(0, 40)),
  }
}

/** The path of a script of the site; of a page, whose address may hold a ticket, its first part alone. */
function pathOfSource({ pathname }: URL): string {
  return pathname.startsWith('/assets/') ? pathname : `/${pathname.split('/')[1] ?? ''}`
}

function originOf(blocked: string): string {
  const url = URL.parse(blocked)
  if (url === null) return blocked
  return url.origin === 'null' ? url.protocol : url.origin
}

/** In the log stands neither more of it, nor what would break a line or a terminal. */
function short(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD').slice(0, maxText)
}

export const noReport = defineError({
  code: 'report.invalid',
  status: 400,
  sentence: 'This is no report of a browser.',
  remedy: 'Send what browsers send to the addresses of report-uri and report-to.',
})
