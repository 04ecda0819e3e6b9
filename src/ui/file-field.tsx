import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from 'react'
import './fields.css'
import { Icon } from './icon.tsx'
import { Progress } from './progress.tsx'
import { sizeInWords } from './size-in-words.ts'
import { FieldErrorText } from './text-field.tsx'

/**
 * One file of a form, chosen or dropped, with its name and size. The browser's own input lies over the whole field, so mouse,
 * keyboard and drop are its own.
 */
export function FileField({
  name,
  label,
  accept,
  help,
  problem,
  file,
  isBusy = false,
  share,
  onChoose,
}: {
  name: string
  label: string
  /** Endings and media types, as an input takes them. */
  accept: string
  help?: ReactNode
  /** The file's error, read out when it appears. */
  problem?: string | undefined
  file: File | undefined
  /** Nothing can be chosen meanwhile. */
  isBusy?: boolean
  /** The part of it that has gone out, from 0 to 1, where that is known. */
  share?: number | undefined
  /** Undefined where it is taken out again. */
  onChoose: (file: File | undefined) => void
}) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // A removed or refused file can be chosen once more.
    if (file === undefined && input.current !== null) input.current.value = ''
  })
  const { isOver, refuseWhileBusy, ...drag } = useDrag(isBusy)
  const isIdle = file !== undefined && !isBusy
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className={`file-zone${file === undefined ? '' : ' has-file'}${isOver ? ' is-over' : ''}`}>
        <input
          ref={input}
          id={id}
          type="file"
          name={name}
          accept={accept}
          className="file-input"
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}chosen ${id}problem ${id}help`}
          // Disabled, it would lose the focus.
          aria-disabled={isBusy}
          onClick={refuseWhileBusy}
          {...drag}
          onChange={(event) => {
            const [chosen] = event.currentTarget.files ?? []
            // A browser's dialog that is closed without a choice leaves the file.
            if (chosen !== undefined) onChoose(chosen)
          }}
        />
        <span className="file-open" aria-hidden="true">
          {file === undefined ? 'Choose a file' : 'Choose another'}
        </span>
        <span id={`${id}chosen`} className="file-chosen">
          {file === undefined ? (
            'or drop it here'
          ) : (
            <>
              <bdi>{file.name}</bdi> <span className="file-size">{sizeInWords(file.size)}</span>
            </>
          )}
        </span>
        {isIdle ? (
          <button
            type="button"
            className="button button-icon file-remove"
            aria-label={`Remove ${file.name}`}
            onClick={() => {
              onChoose(undefined)
              input.current?.focus()
            }}
          >
            <Icon name="close" size={16} />
          </button>
        ) : null}
      </div>
      {share === undefined ? null : (
        <Progress label={`Upload of ${file?.name ?? 'the file'}`} share={share}>
          {`${Math.floor(share * 100)} % sent`}
        </Progress>
      )}
      <FieldErrorText id={`${id}problem`} problem={problem} />
      <p id={`${id}help`} className="field-help">
        {help}
      </p>
    </div>
  )
}

/** A file that is held over the field, which shows it, and dropped; while it is busy it takes none. */
function useDrag(isBusy: boolean) {
  const [isOver, setIsOver] = useState(false)
  const refuseWhileBusy = (event: SyntheticEvent): void => {
    if (isBusy) event.preventDefault()
  }
  return {
    isOver: isOver && !isBusy,
    refuseWhileBusy,
    onDragEnter: () => setIsOver(true),
    onDragLeave: () => setIsOver(false),
    onDragOver: refuseWhileBusy,
    onDrop(event: SyntheticEvent): void {
      setIsOver(false)
      refuseWhileBusy(event)
    },
  }
}
