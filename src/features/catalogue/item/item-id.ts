/** Whether a text can be the id of an item. What is none is the id of nothing, and the database would not read it. */
export function isItemId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}
