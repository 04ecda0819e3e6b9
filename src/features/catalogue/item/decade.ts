/** Decades of works, named by their first years: 1890 is 1890 to 1899, and -430 is 430 to 421 BC. Browser-safe. */

export function decadeOf(year: number): number {
  return Math.floor(year / 10) * 10
}

export function isDecade(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,2}0)$/.test(text) && Number(text) >= -3000 && Number(text) <= 2990
}

/** '1890s'. */
export function decadeName(first: string): string {
  const year = Number(first)
  return year < 0 ? `${-year} to ${-year - 9} BC` : `${year}s`
}
