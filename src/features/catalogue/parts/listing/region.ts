import type { Region } from '../../item/content-type.ts'

const key = 'region'

/** The regional catalogue a visitor chose last; western while none was chosen. */
export function readRegion(): Region {
  try {
    return localStorage.getItem(key) === 'asian' ? 'asian' : 'western'
  } catch {
    return 'western'
  }
}

export function rememberRegion(region: Region): void {
  try {
    localStorage.setItem(key, region)
  } catch {
    // Without storage the choice holds for this page.
  }
}
