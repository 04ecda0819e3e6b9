import { posix } from 'node:path'

/** A document that the repository does not hold: nobody who has only the repository could look it up. */
const outside = [
  /\b(?:PRODUCT|BILLING|ARCHITECTURE|DESIGN|PERFORMANCE|REVIEW)\.md\b/,
  /(?:\.\.|\/work)\/(?:shared|wt|main|\.library)\//,
  /\bsections? \d+(?:\.\d+)*\b/i,
]

const namedDocument = /(?<![\w.-])docs\/[\w./-]+\.md(?:#[\w-]+)?/g
const markdownLink = /\[[^\]]*\]\(([^)\s]+)\)/g

/**
 * Finds references that lead nowhere, and mentions of documents outside of the repository. `docs/….md#anchor` is read
 * from the root, links between Markdown files from their own file. Anchors of `docs/spec/` are written by hand (`<a
 * id="…"></a>`), each once in its file.
 * @param paths every other path that a link may lead to
 * @returns one sentence a fault, by file
 */
export function findReferenceFaults(texts: ReadonlyMap<string, string>, paths: ReadonlySet<string>): string[] {
  const anchors = new Map<string, Set<string>>()
  const anchorsOf = (path: string) => {
    const known = anchors.get(path) ?? readAnchors(path, texts.get(path) ?? '')
    anchors.set(path, known)
    return known
  }
  const faultOf = (target: string): string | undefined => {
    const [path = '', anchor] = target.split('#')
    if (!texts.has(path) && !paths.has(path)) return `there is no ${path}`
    return anchor === undefined || anchorsOf(path).has(anchor) ? undefined : `${path} has no anchor ${anchor}`
  }

  const faults: string[] = []
  for (const [file, text] of texts) {
    for (const [index, line] of text.split('\n').entries()) {
      const mention = outside.map((pattern) => pattern.exec(line)?.[0]).find((found) => found !== undefined)
      if (mention !== undefined) faults.push(`${file}:${index + 1}: '${mention}' stands outside of the repository`)
    }
    const named = [...text.matchAll(namedDocument)].map(([reference]) => reference)
    const linked = file.endsWith('.md') ? linksOf(file, text) : []
    for (const target of new Set([...named, ...linked])) {
      const fault = faultOf(target)
      if (fault !== undefined) faults.push(`${file}: ${fault}`)
    }
    for (const anchor of file.startsWith('docs/spec/') ? repeatedAnchors(text) : [])
      faults.push(`${file}: the anchor ${anchor} stands there twice`)
  }
  return faults
}

function linksOf(file: string, text: string): string[] {
  return [...withoutCode(text).matchAll(markdownLink)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
    .map((target) =>
      target.startsWith('#') ? file + target : posix.normalize(posix.join(posix.dirname(file), decodeURI(target))),
    )
}

function readAnchors(path: string, text: string): Set<string> {
  const written = writtenAnchors(text)
  if (path.startsWith('docs/spec/')) return new Set(written)
  const headings = [...withoutCode(text).matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => headingAnchor(heading))
  return new Set([...written, ...headings])
}

const writtenAnchors = (text: string) => [...text.matchAll(/<a id="([^"]*)"><\/a>/g)].map(([, id = '']) => id)

function repeatedAnchors(text: string): string[] {
  const ids = writtenAnchors(text)
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))]
}

/** The anchor that Git hosts give a heading. */
function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

const withoutCode = (text: string) => text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '``')
