import { html } from 'hono/html'

export type Html = ReturnType<typeof html>

/** The frame of every page: what it is, in every state, before anything else. */
export function layout({ title, brandName, body }: { title: string; brandName: string; body: Html }): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${brandName} (test mode)</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/sandbox.css" />
      </head>
      <body>
        <header class="banner">TEST MODE: no card is charged</header>
        <main>${body}</main>
      </body>
    </html>`
}

/** A page that says one thing and leads on, when there is somewhere to go. */
export function statement({
  title,
  sentence,
  brandName,
  link,
}: {
  title: string
  sentence: string
  brandName: string
  link?: { href: string; text: string } | undefined
}): Html {
  return layout({
    title,
    brandName,
    body: html`<section class="card narrow">
      <h1>${title}</h1>
      <p>${sentence}</p>
      ${link && html`<p><a class="button" href="${link.href}">${link.text}</a></p>`}
    </section>`,
  })
}

/** A form that carries the token against posts from other sites. */
export function form({ action, token, fields = {}, className = '' }: Posting, content: Html | string): Html {
  return html`<form method="post" action="${action}" class="${className}">
    <input type="hidden" name="token" value="${token}" />
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${content}
  </form>`
}

export interface Posting {
  action: string
  token: string
  fields?: Record<string, string>
  className?: string
}

export function select(name: string, label: string, options: Record<string, string>, chosen: string): Html {
  return html`<label class="field"
    ><span>${label}</span
    ><select name="${name}">
      ${Object.entries(options).map(
        ([value, text]) => html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`,
      )}
    </select></label
  >`
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Cents of a dollar as people write them. */
export const amountOf = (cents: number): string => money.format(cents / 100)
/** A day, in UTC. @param seconds since 1970 */
export const dateOf = (seconds: number): string => dates.format(seconds * 1000)
/** A minute, in UTC. @param seconds since 1970 */
export const momentOf = (seconds: number): string => `${moments.format(seconds * 1000)} UTC`
/** past_due as people read it. */
export const wordsOf = (status: string): string => status.replaceAll('_', ' ')
