import { useEffect, useState } from 'react'
import { readPicture } from '../../../../browser/api-files.ts'
import { Cover } from './cover.tsx'
import { type ShownCover, widest } from './cover-of.ts'

/** A cover that is not there for strangers: it is asked for with the session, which no image of a page could carry. */
export function GuardedCover({ src, alt, isDrawn }: ShownCover) {
  const [shown, setShown] = useState<{ of: string; data: string | undefined }>()
  useEffect(() => {
    const away = new AbortController()
    readPicture(isDrawn ? src : widest(src), away.signal).then(
      (data) => setShown({ of: src, data }),
      () => {
        if (!away.signal.aborted) setShown({ of: src, data: undefined })
      },
    )
    return () => away.abort()
  }, [src, isDrawn])
  const data = shown?.of === src ? shown.data : undefined
  // Its place is kept while it comes, and where it does not come.
  if (data === undefined) return <div className="cover cover-awaited" role="img" aria-label={alt} />
  return <Cover src={data} alt={alt} isDrawn={isDrawn} />
}
