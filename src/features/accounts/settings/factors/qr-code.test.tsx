import { renderToStaticMarkup } from 'react-dom/server'
import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { QrCode } from './qr-code.tsx'

const uri = 'otpauth://totp/Daybook:jane%40readers.example?issuer=Daybook&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

test('A QR code is drawn module by module, with four quiet modules around it', () => {
  const markup = renderToStaticMarkup(<QrCode text={uri} label="The code" />)
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(markup)?.[1])
  const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of markup.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    drawn[Number(y)]?.fill(true, Number(x), Number(x) + Number(width))

  const { data, size: bare } = encode(uri, { ecc: 'M', border: 0 })
  expect(size).toBe(bare + 8)
  expect(drawn.slice(4, -4).map((row) => row.slice(4, -4))).toEqual(data)
  const quiet = [...drawn.slice(0, 4), ...drawn.slice(-4)].flat()
  expect([...quiet, ...drawn.flatMap((row) => [...row.slice(0, 4), ...row.slice(-4)])].some(Boolean)).toBe(false)
  expect(markup).toContain('role="img" aria-label="The code"')
})
