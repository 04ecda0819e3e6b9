import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { createElement } from 'react'

/** A component as the server would write it. */
export interface Rendered {
  html: string
  /** Its words, with one blank between those of different elements. */
  text: string
  /** The targets of its links, from the top. */
  hrefs: string[]
}

/** @param address of the page that it stands on */
export function rendered(node: ReactNode, address = '/'): Rendered {
  return fromHtml(renderToString(createElement(MemoryRouter, { initialEntries: [address] }, node)))
}

/** The same of a page that came from the server. */
export function fromHtml(html: string): Rendered {
  const body = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, ' ')
  // React parts two texts that follow each other by a comment.
  const text = unescaped(body.replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return {
    html,
    text,
    hrefs: [...body.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) => unescaped(href)),
  }
}

function unescaped(text: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }
  return text.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => characters[name] ?? '')
}
