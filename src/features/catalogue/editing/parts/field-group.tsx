import type { ReactNode } from 'react'

export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="content-group">
      <legend>{title}</legend>
      <div className="content-fields">{children}</div>
    </fieldset>
  )
}
