/** The year of a work as it was typed; a number alone below zero is told as such a year is. */
export function yearInWords({
  year,
  yearText,
}: {
  year?: number | undefined
  yearText?: string | undefined
}): string | undefined {
  if (yearText !== undefined) return yearText
  return year !== undefined && year < 0 ? `${-year} BC` : year?.toString()
}
