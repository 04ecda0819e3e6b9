import { escapeHtml } from '../escape-html.ts'

/** The content of an email; the layout is the same for all. Everything is plain text. */
export interface EmailContent {
  subject: string
  /** The sentence that mail programs show beside the subject. */
  preview: string
  headline: string
  /** The greeting; undefined greets nobody by name. */
  greeting: string | undefined
  paragraphs: string[]
  /** A list of pages, below the paragraphs. */
  links?: { label: string; about?: string | undefined; url: string }[]
  /** The one thing to do. */
  button?: { label: string; url: string }
  /** Set quieter, under the button. */
  notes?: string[]
  reason: string
}

export interface EmailSender {
  brandName: string
  /** The site, without a trailing slash. */
  publicUrl: string
}

/** Sets an email as text and as HTML. Mail programs know neither files of styles nor scripts nor, some, dark mode. */
export function layOutEmail(
  content: EmailContent,
  sender: EmailSender,
): { subject: string; text: string; html: string } {
  return { subject: content.subject, text: asText(content, sender), html: asHtml(content, sender) }
}

function asText(content: EmailContent, { brandName, publicUrl }: EmailSender): string {
  const { headline, greeting, paragraphs, links = [], button, notes = [], reason } = content
  const parts = [
    brandName,
    headline,
    ...(greeting === undefined ? [] : [`${greeting},`]),
    ...paragraphs,
    ...links.map(({ label, about, url }) => [label, ...(about === undefined ? [] : [about]), url].join('\n')),
    ...(button === undefined ? [] : [`${button.label}:\n${button.url}`]),
    ...notes,
    `--\n${reason}\n${publicUrl}`,
  ]
  return `${parts.join('\n\n')}\n`
}

/** The tokens of the site (`src/ui/tokens.css`) in the notation that mail programs read. */
const paper = {
  page: '#f9f6f0',
  raised: '#fdfcf9',
  hairline: '#e4dfd6',
  quiet: '#6a6258',
  soft: '#514941',
  ink: '#282019',
  solid: '#282019',
  onSolid: '#fdfcf9',
  text: '#282019',
}
const night: typeof paper = {
  page: '#11151e',
  raised: '#181c27',
  hairline: '#383d4a',
  quiet: '#9a9ea9',
  soft: '#b7bac3',
  ink: '#ede9e2',
  solid: '#ede9e2',
  onSolid: '#0c0f18',
  text: '#ede9e2',
}

const serif = "'Brygada 1918', 'Iowan Old Style', 'Palatino Linotype', Palatino, Georgia, 'Songti SC', serif"
const sans = "Figtree, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** Colours stand inline, for programs that drop style sheets; a sheet turns them to ink where dark mode is known. */
const sheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 480px) { .frame { padding: 12px 12px 32px !important } .card { padding: 28px 22px 26px !important } .headline { font-size: 26px !important } }
@media (prefers-color-scheme: dark) {
  .page { background-color: ${night.page} !important }
  .card { background-color: ${night.raised} !important; border-color: ${night.hairline} !important }
  .rule { border-color: ${night.hairline} !important }
  .ink { color: ${night.ink} !important }
  .soft { color: ${night.soft} !important }
  .quiet { color: ${night.quiet} !important }
  .link { color: ${night.text} !important }
  .solid { background-color: ${night.solid} !important }
  .on-solid { color: ${night.onSolid} !important }
}`

function asHtml(content: EmailContent, { brandName, publicUrl }: EmailSender): string {
  const { subject, preview, headline, greeting, paragraphs, links = [], button, notes = [], reason } = content
  const spoken = [...(greeting === undefined ? [] : [`${greeting},`]), ...paragraphs]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${sheet}
</style>
</head>
<body class="page" style="margin:0;padding:0;background-color:${paper.page};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preview)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${paper.page}">
<tr><td class="frame" align="center" style="padding:32px 20px 48px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:start">
<tr><td style="padding:0 4px 14px">${brandLine(brandName)}</td></tr>
<tr><td class="card" style="padding:40px 44px 36px;background-color:${paper.raised};border:1px solid ${paper.hairline};border-radius:14px">
<h1 class="headline ink" dir="auto" style="margin:0 0 20px;font-family:${serif};font-size:30px;line-height:1.2;font-weight:600;color:${paper.ink};overflow-wrap:anywhere">${escapeHtml(headline)}</h1>
${spoken.map((text) => `<p class="soft" dir="auto" style="margin:0 0 16px;font-family:${sans};font-size:16px;line-height:1.55;color:${paper.soft};overflow-wrap:anywhere">${escapeHtml(text)}</p>`).join('\n')}
${links.map(linkRow).join('\n')}
${button === undefined ? '' : buttonRows(button)}
${notes.map((text) => `<p class="quiet" dir="auto" style="margin:16px 0 0;font-family:${sans};font-size:14px;line-height:1.5;color:${paper.quiet};overflow-wrap:anywhere">${escapeHtml(text)}</p>`).join('\n')}
</td></tr>
<tr><td style="padding:20px 4px 0">
<p class="quiet" dir="auto" style="margin:0 0 4px;font-family:${sans};font-size:13px;line-height:1.5;color:${paper.quiet};overflow-wrap:anywhere">${escapeHtml(reason)}</p>
<p style="margin:0;font-family:${sans};font-size:13px;line-height:1.5"><a class="quiet" href="${escapeHtml(publicUrl)}" style="color:${paper.quiet};overflow-wrap:anywhere">${escapeHtml(publicUrl.replace(/^https?:\/\//, ''))}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

/** The ribbon of the word mark, drawn as a block of colour: mail programs show no SVG. */
function brandLine(brandName: string): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="solid" width="6" style="width:6px;background-color:${paper.solid};border-radius:1px 1px 3px 3px;font-size:0;line-height:0">&nbsp;</td>
<td class="ink" dir="auto" style="padding:3px 10px;font-family:${serif};font-size:20px;line-height:24px;font-weight:600;color:${paper.ink};overflow-wrap:anywhere">${escapeHtml(brandName)}</td>
</tr></table>`
}

/** The button, and below it the address in words, for readers without buttons or trust in them. */
function buttonRows({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url)
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 20px"><tr><td class="solid" style="background-color:${paper.solid};border-radius:8px"><a class="on-solid" href="${address}" style="display:inline-block;padding:13px 24px;font-family:${sans};font-size:16px;line-height:22px;font-weight:600;color:${paper.onSolid};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="quiet" style="margin:0;font-family:${sans};font-size:13px;line-height:1.5;color:${paper.quiet}">Or open this address:<br><a class="link" href="${address}" style="color:${paper.text};overflow-wrap:anywhere;word-break:break-all">${address}</a></p>`
}

function linkRow({ label, about, url }: { label: string; about?: string | undefined; url: string }): string {
  const small =
    about === undefined
      ? ''
      : `<br><span class="quiet" dir="auto" style="font-family:${sans};font-size:14px;line-height:1.5;color:${paper.quiet}">${escapeHtml(about)}</span>`
  return `<p class="rule" style="margin:0;padding:10px 0;border-top:1px solid ${paper.hairline};overflow-wrap:anywhere"><a class="link" href="${escapeHtml(url)}" dir="auto" style="font-family:${serif};font-size:18px;line-height:1.4;color:${paper.text};text-decoration:none">${escapeHtml(label)}</a>${small}</p>`
}
