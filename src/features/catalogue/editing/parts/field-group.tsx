import type { ReactNode } from 'react'

/** Fields of a form under one heading. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="content-group">
      <legend>{title}</legend>
      <div className="content-fields">{children}</div>
    </fieldset>
  )
}
