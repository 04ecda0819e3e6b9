import { defineError } from '../../../platform/errors.ts'
import { coverWidths, type CoverWidth } from '../item/cover-address.ts'
import { openPictureTool } from './picture-tool.server.ts'

export const maxPictureBytes = 10 * 1024 * 1024
const maxPixels = 40_000_000
const longestSeconds = 20

export type Pictures = Readonly<Record<CoverWidth, Buffer>>

/**
 * Reads a picture from outside and writes it anew, in each width that is kept. Nothing of the original remains but what is seen
 * of its first page: no metadata, no profile, no other bytes. One picture is read at a time.
 * @throws {AppError} `cover.no_picture`, `cover.kind`, `cover.pixels`, 422
 */
export function readPicture(bytes: Buffer): Promise<Pictures> {
  const done = last.then(() => read(bytes))
  last = done.catch(() => undefined)
  return done
}
let last: Promise<unknown> = Promise.resolve()

async function read(bytes: Buffer): Promise<Pictures> {
  if (!isOfKnownKind(bytes)) throw pictureKind()
  const sharp = await openPictureTool()
  // A header is read without its pixels.
  const facts = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw noPicture({ cause: error })
    })
  if (facts.width * facts.height > maxPixels) throw tooManyPixels()
  try {
    const [largest] = coverWidths.toReversed() as [CoverWidth]
    const { data, info } = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
      .timeout({ seconds: longestSeconds })
      .autoOrient()
      .resize(within(largest))
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    const sizes = coverWidths.map(async (width) => {
      const { channels, width: rawWidth, height } = info
      const written = await sharp(data, { raw: { channels, width: rawWidth, height } })
        .resize(within(width))
        .webp({ quality: 82, effort: 4 })
        .toBuffer()
      return [width, written] as const
    })
    return Object.fromEntries(await Promise.all(sizes)) as Record<CoverWidth, Buffer>
  } catch (error) {
    throw noPicture({ cause: error })
  }
}

/** A picture keeps its shape; one that is smaller keeps its size. */
function within(width: number) {
  return { width, height: width * 2, fit: 'inside', withoutEnlargement: true } as const
}

/** JPEG, PNG or WebP by the first bytes: no other decoder is ever asked. */
function isOfKnownKind(bytes: Buffer): boolean {
  const begin = bytes.subarray(0, 12).toString('latin1')
  return (
    begin.startsWith('\xff\xd8\xff') ||
    begin.startsWith('\x89PNG\r\n\x1a\n') ||
    (begin.startsWith('RIFF') && begin.endsWith('WEBP'))
  )
}

export const pictureKind = defineError({
  code: 'cover.kind',
  status: 422,
  sentence: 'This is no JPEG, PNG or WebP picture.',
  remedy: 'Send a picture of one of these kinds, with its kind in the header content-type.',
})

export const noPicture = defineError({
  code: 'cover.no_picture',
  status: 422,
  sentence: 'This picture cannot be read: it is damaged or not whole.',
  remedy: 'Open it in a program for pictures, and save it anew.',
})

export const tooManyPixels = defineError({
  code: 'cover.pixels',
  status: 422,
  sentence: 'This picture has more than 40 megapixels.',
  remedy: 'Make it smaller: covers are shown 640 pixels wide at most.',
})
