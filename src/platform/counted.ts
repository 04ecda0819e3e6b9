/** '1 difference', '1,200 differences', '2 entries' */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`
}
