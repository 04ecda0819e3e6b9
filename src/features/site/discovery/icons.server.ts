import { keptPicture } from '../../catalogue/covers/drawn/kept-pictures.server.ts'
import type { SiteApp } from '../app.ts'

/** The icons by the names of their files. A program cuts those without corners of their own to its shape. */
export const icons = {
  '180.png': { size: 180, isMaskable: true },
  '192.png': { size: 192, isMaskable: false },
  '512.png': { size: 512, isMaskable: false },
  'maskable-512.png': { size: 512, isMaskable: true },
} as const

type IconApp = Pick<SiteApp, 'config' | 'texts'>

/** Raised with every change of the drawing, so that no kept one outlives it. */
const iconEdition = 1

/** An icon of the site as PNG: drawn once for each name of the brand. */
export function readIcon(
  { config, texts }: IconApp,
  { size, isMaskable }: { size: number; isMaskable: boolean },
): Promise<Buffer> {
  const brand = texts.inForce.brandName
  return keptPicture(config.dataDir, { content: `icon ${iconEdition} ${brand} ${size} ${isMaskable}` }, async () => {
    const { drawIcon } = await import('../../catalogue/covers/drawn/draw-icon.server.ts')
    return drawIcon(brand, { size, isMaskable })
  })
}

const faviconSizes = [16, 32, 48]

/** `/favicon.ico`: the icon in small sizes, each as PNG. */
export async function readFavicon(app: IconApp): Promise<Buffer> {
  const pictures: { size: number; bytes: Buffer }[] = []
  // One after the other: they wait in one line anyway, which is short.
  for (const size of faviconSizes) pictures.push({ size, bytes: await readIcon(app, { size, isMaskable: false }) })
  return icoOf(pictures)
}

const [headBytes, entryBytes] = [6, 16]

function icoOf(pictures: readonly { size: number; bytes: Buffer }[]): Buffer {
  const head = Buffer.alloc(headBytes + entryBytes * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [place, { size, bytes }] of pictures.entries()) {
    const at = headBytes + entryBytes * place
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(bytes.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += bytes.length
  }
  return Buffer.concat([head, ...pictures.map(({ bytes }) => bytes)])
}
