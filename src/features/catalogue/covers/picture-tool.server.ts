import type Sharp from 'sharp'

type Tool = typeof Sharp

let opened: Promise<Tool> | undefined

/**
 * The library that reads and writes pictures, loaded with the first one: a site without covers pays nothing for it. It
 * reads JPEG, PNG, WebP and this site's own drawings, and nothing else that its decoders know.
 */
export async function openPictureTool(): Promise<Tool> {
  opened ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] })
    const decoders = ['Jpeg', 'Png', 'Webp', 'Svg'].map((kind) => `VipsForeignLoad${kind}Buffer`)
    sharp.unblock({ operation: decoders })
    // One core is left to visitors, and nothing of a picture stays in memory.
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return opened
}
