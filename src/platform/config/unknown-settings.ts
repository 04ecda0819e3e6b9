import { fileOf, type GivenSettings, placesOf } from './config.ts'
import { fileVariableOf, type Setting } from './setting.ts'

export interface UnknownSetting {
  name: string
  /** The settings file that it stands in; '' for the environment. */
  file: string
  /** The setting that was likely meant. */
  meant: string | undefined
}

/** Beginnings that no other program of a usual machine has. Others, like `DATABASE_` or `REDIS_`, every host sets. */
const ownPrefixes = /^(DAYBOOK|STRIPE|GATEWAY|LINKVERTISE|PAYMENTS|TRUSTED|GRACE|VIP|DMCA|COMMUNITY|BRAND|ADMIN|DEMO)_/

/** Variables of Stripe's command line, Kubernetes (for a service of that name) and npm. */
const foreign = /^(STRIPE_(CLI|DEVICE|PROJECT)_|.*_SERVICE_(HOST|PORT)|.*_PORT(_\d+_(TCP|UDP|SCTP).*)?$|NPM_)/

/**
 * Variables that are no settings: all of a settings file; in the environment, which other programs use too, misspelt ones
 * and those that begin like ours.
 */
export function unknownSettings(given: GivenSettings, settings: readonly Setting[]): UnknownSetting[] {
  const known = new Set(settings.flatMap((each) => [each.name, fileVariableOf(each)]))
  const likely = settings.flatMap((each) => (each.isSecret ? [each.name, fileVariableOf(each)] : [each.name]))
  return placesOf(given).flatMap((place) => {
    const file = fileOf(place)
    return Object.keys(place.values)
      .filter((name) => (place.values[name] ?? '').trim() !== '' && !known.has(name))
      .toSorted()
      .flatMap((name): UnknownSetting[] => {
        const plain = name.toUpperCase()
        const meant = likely.find((setting) => isNear(plain, setting))
        if (file !== '') return [{ name, file, meant }]
        if (foreign.test(plain)) return []
        return meant !== undefined || ownPrefixes.test(plain) ? [{ name, file, meant }] : []
      })
  })
}

/** One slip of the finger in a short name, two in a long one. */
function isNear(name: string, setting: string): boolean {
  const slips = setting.length < 10 ? 1 : 2
  return Math.abs(name.length - setting.length) <= slips && editDistance(name, setting) <= slips
}

/** Letters left out, put in, changed, or two neighbours in each other's place (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = i > 1 && j > 1 && isSwap ? (before[j - 2] as number) + 1 : Infinity
      row.push(Math.min(changed, (above[j] as number) + 1, (row[j - 1] as number) + 1, swapped))
    }
    before = above
    above = row
  }
  return above[b.length] as number
}

/** The line about it for the operator. */
export function unknownSettingInWords({ name, file, meant }: UnknownSetting): string {
  const where = file === '' ? '' : ` in ${file}`
  return `${name}${where} is no setting of Daybook${meant === undefined ? '.' : `: did you mean ${meant}?`}`
}
