/** Text of a program, as wide as it is. */
export function Code({ label, children }: { label: string; children: string }) {
  return (
    // Reached by keyboard, so that it can be scrolled by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="reference-code" role="region" aria-label={label} tabIndex={0}>
      <code>{children}</code>
    </pre>
  )
}
