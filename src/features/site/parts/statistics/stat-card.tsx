import type { ReactNode } from 'react'
import './statistics-page.css'

export function StatCards({ children }: { children: ReactNode }) {
  return <dl className="stat-cards">{children}</dl>
}

export function StatCard({ label, figure, help }: { label: string; figure: number | string; help: string }) {
  return (
    <div className="stat-card">
      <dt>{label}</dt>
      <dd className="stat-figure">{typeof figure === 'number' ? figure.toLocaleString('en-US') : figure}</dd>
      <dd className="work-aside">{help}</dd>
    </div>
  )
}
