import { remember, remembered } from '../../../../browser/remembered.ts'
import type { Region } from '../../item/content-type.ts'

const key = 'region'

/** The regional catalogue a visitor chose last; western while none was chosen. */
export function readRegion(): Region {
  return remembered(key) === 'asian' ? 'asian' : 'western'
}

export function rememberRegion(region: Region): void {
  remember(key, region)
}
