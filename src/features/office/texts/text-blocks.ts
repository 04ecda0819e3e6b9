export type TextBlock = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }

/**
 * Plain text: an empty line ends a paragraph, a line that begins with `#` is a heading, lines that begin with `-` are a
 * list. Nothing in it is ever read as markup of the page.
 */
export function blocksIn(text: string): TextBlock[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n[ \t]*(?:\r?\n)+/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .flatMap((block): TextBlock[] => {
      const lines = block.split(/\r?\n/).map((line) => line.trim())
      const [first = '', ...rest] = lines
      if (/^#+\s/.test(first)) {
        const heading: TextBlock = { kind: 'heading', text: first.replace(/^#+\s+/, '') }
        return rest.length === 0 ? [heading] : [heading, ...blocksIn(rest.join('\n'))]
      }
      if (lines.every((line) => /^[-*]\s/.test(line))) {
        return [{ kind: 'list', items: lines.map((line) => line.replace(/^[-*]\s+/, '')) }]
      }
      return [{ kind: 'paragraph', text: lines.join(' ') }]
    })
}

/** The entries of a list, one a line; empty lines are none. */
export function linesIn(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export function cellsIn(line: string): string[] {
  return line.split('|').map((cell) => cell.trim())
}
