import { useMemo } from 'react'
import { encode } from 'uqr'

/** The quiet ground around a code, in modules, as readers of codes want it. */
const quietModules = 4

/** A text as a QR code: dark on white in both themes, because readers of codes want it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect className="qr-ground" width={size} height={size} />
      <path className="qr-modules" d={path} />
    </svg>
  )
}

/** The dark modules of each row as runs. */
function drawn(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: 'M', border: quietModules })
  let path = ''
  for (const [y, row] of data.entries()) {
    for (let x = 0; x < size; x += 1) {
      if (row[x] !== true) continue
      const from = x
      while (row[x + 1] === true) x += 1
      const width = x - from + 1
      path += `M${from} ${y}h${width}v1h-${width}z`
    }
  }
  return { size, path }
}
