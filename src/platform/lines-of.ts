/** A line of a file goes on for longer than any that is meant. */
export class LongLineError extends Error {}

/**
 * The lines of a file in UTF-8 while it arrives, as JSON lines count them: they end at line feeds alone, which no JSON text
 * holds unescaped.
 * @throws {LongLineError}
 */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  { maxCharacters }: { maxCharacters: number },
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop() as string
    yield* parts
    if (rest.length > maxCharacters) throw new LongLineError(`A line has more than ${maxCharacters} characters.`)
  }
  yield rest + decoder.decode()
}
