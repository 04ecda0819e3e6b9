import type { TextBlock } from '../text-blocks.ts'

/** The operator's text as a page shows it: headings of the given level, paragraphs and lists. */
export function BlocksOfText({ blocks, level = 3 }: { blocks: readonly TextBlock[]; level?: 2 | 3 }) {
  return blocks.map((block, place) => (
    // The text of a page does not change while it is read.
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={place} block={block} level={level} />
  ))
}

function Block({ block, level }: { block: TextBlock; level: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  switch (block.kind) {
    case 'heading':
      return <Heading>{block.text}</Heading>
    case 'paragraph':
      return <p>{block.text}</p>
    case 'list':
      return (
        <ul>
          {[...new Set(block.items)].map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )
  }
}
