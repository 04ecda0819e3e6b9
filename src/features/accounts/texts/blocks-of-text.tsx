import type { TextBlock } from './text-blocks.ts'

/** The operator's text as a page shows it: headings of the third level, paragraphs and lists. */
export function BlocksOfText({ blocks }: { blocks: readonly TextBlock[] }) {
  return blocks.map((block, place) => (
    // The text of a page does not change while it is read.
    // oxlint-disable-next-line react/no-array-index-key
    <Block key={place} block={block} />
  ))
}

function Block({ block }: { block: TextBlock }) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>
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
