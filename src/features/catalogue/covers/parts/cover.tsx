import type { ShownCover } from './cover-of.ts'
import './cover.css'

/** A cover of the shape that drawn ones have; another picture stands whole in it, so nothing moves when it comes. */
export function Cover({ src, srcSet, alt, isDrawn }: ShownCover) {
  return (
    <img
      className={isDrawn ? 'cover' : 'cover cover-picture'}
      src={src}
      srcSet={srcSet}
      sizes={srcSet === undefined ? undefined : '16.5rem'}
      alt={alt}
      width="320"
      height="460"
      decoding="async"
    />
  )
}
