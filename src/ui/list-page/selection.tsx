import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'

export type Selection = ReturnType<typeof useSelection>

/** The rows of a list that are chosen, to do one thing with all of them. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  return {
    has: (id: string): boolean => chosen.has(id),
    clear: (): void => setChosen(new Set()),
    choose: (ids: readonly string[], isChosen: boolean): void =>
      setChosen((before) => {
        const next = new Set(before)
        for (const id of ids) {
          if (isChosen) next.add(id)
          else next.delete(id)
        }
        return next
      }),
  }
}

/**
 * Chooses all rows that are shown, with the acts beside it; nothing where no row can be chosen.
 * @param ids of the rows that can be chosen at once
 */
export function SelectionTools({
  ids,
  selection,
  children,
}: {
  ids: readonly string[]
  selection: Selection
  children: ReactNode
}) {
  if (ids.length === 0) return null
  return (
    <div className="selection-tools">
      <Checkbox
        name="all"
        label={ids.length === 1 ? 'Select the one shown' : `Select all ${ids.length.toLocaleString('en-US')} shown`}
        checked={ids.every((id) => selection.has(id))}
        onChange={({ currentTarget }) => (currentTarget.checked ? selection.choose(ids, true) : selection.clear())}
      />
      {children}
    </div>
  )
}

export function SelectionAct({
  count,
  label,
  labelWithout,
  onAct,
}: {
  count: number
  /** 'Close 3 inquiries' */
  label: string
  /** While nothing is chosen. */
  labelWithout: string
  onAct: () => void
}) {
  return (
    <Button label={count === 0 ? labelWithout : label} aria-haspopup="dialog" disabled={count === 0} onClick={onAct} />
  )
}
