import { useEffect, useRef } from 'react'
import { type FieldProps, TextField } from '../../../../ui/text-field.tsx'
import type { FormRefusal } from '../../../../ui/form/use-form.ts'

/** Codes of an authenticator app, or the recovery codes for its loss. */
export type CodeKind = 'totp' | 'recovery'

/** The field for a code, by the name of `code`. */
export function CodeField({
  kind,
  takesFocus = false,
  ...field
}: {
  kind: CodeKind
  /** Whether it has the focus once it is there. */
  takesFocus?: boolean
} & Pick<FieldProps, 'problem' | 'ref' | 'onChange'>) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector('input')?.focus()
  }, [takesFocus])
  return (
    <div ref={frame}>
      {kind === 'totp' ? (
        <TextField
          {...field}
          label="Code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          required
          help="The six digits that your authenticator app shows now."
        />
      ) : (
        <TextField
          {...field}
          label="Recovery code"
          name="code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          help="One of the codes that you saved. Each works once."
        />
      )}
    </div>
  )
}

/** The rules for what was typed into it that the browser can ask. */
export function checkCode(kind: CodeKind, typed: string): FormRefusal | undefined {
  if (kind === 'recovery')
    return typed.trim() === '' ? { field: 'code', message: 'Type one of your recovery codes.' } : undefined
  return /^\d{6}$/u.test(typed.replaceAll(/\s/gu, ''))
    ? undefined
    : { field: 'code', message: 'Type the six digits that your app shows.' }
}
