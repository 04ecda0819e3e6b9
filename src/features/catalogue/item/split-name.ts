/**
 * A name that says its creator too, such as 'Hamlet — Shakespeare', as title and creators: split where the separator stands last
 * (docs/spec/catalogue.md#split-names). Undefined where it does not, or nothing stands on one side. Browser-safe.
 */
export function splitName(name: string, separator: string): { name: string; creators: string } | undefined {
  const at = name.lastIndexOf(separator)
  if (at === -1) return undefined
  const [title, creators] = [name.slice(0, at).trim(), name.slice(at + separator.length).trim()]
  return title === '' || creators === '' ? undefined : { name: title, creators }
}
