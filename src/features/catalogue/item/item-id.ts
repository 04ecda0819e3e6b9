/** Whether a text can be the id of an item. The database would not read any other text. */
export function isItemId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
