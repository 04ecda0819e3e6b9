import { Icon } from './icon.tsx'
import { Menu, type MenuItem } from './menu.tsx'

/** The rarer acts on a row or a case, behind 'More': its next step is a button before it. */
export function RowMenu({
  about = '',
  items,
}: {
  /** Goes on from 'More' for screen readers, where several stand on a page. */
  about?: string
  items: MenuItem[]
}) {
  return (
    <Menu
      isFloating
      className="row-menu"
      button={
        <>
          More<span className="sr-only">{about}</span>
          <Icon name="down" size={16} />
        </>
      }
      groups={[{ items }]}
    />
  )
}
