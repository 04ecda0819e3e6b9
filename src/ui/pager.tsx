import { Button } from './button.tsx'
import './pager.css'

/** 'Page X of Y', with the ways to the pages beside it; nothing where there is one page only. */
export function Pager({
  page,
  totalPages,
  onPage,
}: {
  page: number
  totalPages: number
  onPage: (page: number) => void
}) {
  if (totalPages <= 1 && page === 1) return null
  return (
    <nav className="pager" aria-label="Pages">
      <Button
        label="Previous"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, Math.max(totalPages, 1)))}
      />
      <span>{`Page ${page.toLocaleString('en-US')} of ${totalPages.toLocaleString('en-US')}`}</span>
      <Button label="Next" disabled={page >= totalPages} onClick={() => onPage(page + 1)} />
    </nav>
  )
}
