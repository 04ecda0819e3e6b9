/** The most items that a bulk edit takes one by one, or switches in one call (docs/spec/catalogue.md#bulk-edit). */
export const maxChosen = 1_000
