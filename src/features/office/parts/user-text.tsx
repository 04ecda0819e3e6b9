import { Badge } from '../../../ui/badge.tsx'
import { mixedScriptsOf } from './mixed-scripts.ts'

/**
 * A name or an address as somebody gave it, where administrators read it: marked where one word of it mixes scripts, because
 * it may be meant to look like another (docs/spec/accounts.md#mixed-scripts).
 */
export function UserText({ children: text, className }: { children: string; className?: string }) {
  const scripts = mixedScriptsOf(text)
  return (
    <span className={className}>
      <bdi>{text}</bdi>
      {scripts === undefined ? null : (
        <span title={`One word has letters of several scripts: ${scripts.join(', ')}.`}>
          {' '}
          <Badge>
            mixed scripts
            <span className="sr-only">{`: one word has letters of ${scripts.join(' and ')}`}</span>
          </Badge>
        </span>
      )}
    </span>
  )
}
