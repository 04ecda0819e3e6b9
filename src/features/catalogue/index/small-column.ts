/** Two bytes a number, four once there are more than two bytes can tell apart. */
export type SmallColumn = Uint16Array | Uint32Array
const mostInTwoBytes = 0xffff

/** @returns the column with a number at a place: the same one, or a wider one that has room for it */
export function withNumber(column: SmallColumn, place: number, number: number): SmallColumn {
  const wide = number > mostInTwoBytes && column instanceof Uint16Array ? new Uint32Array(column) : column
  wide[place] = number
  return wide
}

/** An empty column of the same width. */
export function likewise(column: SmallColumn, length: number): SmallColumn {
  return column instanceof Uint16Array ? new Uint16Array(length) : new Uint32Array(length)
}

export function grown<T extends SmallColumn | Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}
