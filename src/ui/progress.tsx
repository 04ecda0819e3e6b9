import './progress.css'

export function Progress({ label, share, children }: { label: string; share: number; children: string }) {
  return (
    <div className="work-progress">
      <progress aria-label={label} value={Math.min(1, Math.max(0, share))} max={1} />
      <p>{children}</p>
    </div>
  )
}
