import { type FormEvent, useState } from 'react'
import { type ApiError, request } from '../../../../browser/api-client.ts'
import { refetchAnswers, useApiMutation } from '../../../../browser/queries.ts'
import { Announced, Notice } from '../../../../ui/notice.tsx'
import { TextArea } from '../../../../ui/text-field.tsx'
import { recheckAccess } from '../../../office/browser/admin-query.ts'
import { ProhibitedNames, type WantedNames } from '../prohibited-names-schema.ts'
import { addedTo, linesIn, nameLists, namesPath, savedByOthers, termsOf } from './names-words.ts'

/**
 * The lists. Typed terms stay when a save fails. When somebody else has saved meanwhile, the form tells their terms, and
 * the next save replaces them.
 */
export function NamesForm({
  names,
  readAgain,
}: {
  names: ProhibitedNames
  /** @throws {ApiError} */
  readAgain: () => Promise<ProhibitedNames>
}) {
  /** The lists that the fields began with. */
  const [shown, setShown] = useState(names)
  /** The version that a save replaces: the last that the writer has seen. */
  const [version, setVersion] = useState(names.version)
  const [conflict, setConflict] = useState<string[]>()
  const save = useApiMutation({
    mutationFn: (body: WantedNames) => request(namesPath, ProhibitedNames, { method: 'PUT', body }),
    onSuccess: (saved) => {
      setShown(saved)
      setVersion(saved.version)
      setConflict(undefined)
      refetchAnswers(namesPath)
    },
    onError: async (error: ApiError) => {
      recheckAccess(error)
      if (error.status !== 409) return
      const current = await readAgain()
      setVersion(current.version)
      setConflict(savedByOthers(current))
    },
  })
  const listOfError = nameLists.find(({ list }) => save.error?.field?.split('.').includes(list) === true)?.list

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate({ ...typedIn(new FormData(event.currentTarget)), version })
  }

  return (
    <form className="names-form" aria-label="Prohibited names" noValidate onSubmit={submit}>
      {/* As they are stored, once they are saved. */}
      {nameLists.map(({ list, label, help }) => (
        <section key={`${list} ${shown.version}`} className="names-list">
          <TextArea
            name={list}
            label={label}
            help={help}
            rows={5}
            spellCheck={false}
            autoCapitalize="none"
            defaultValue={addedTo(list, shown)}
            problem={listOfError === list ? save.error?.message : undefined}
          />
          <BuiltIn terms={termsOf(list, shown.builtIn)} />
        </section>
      ))}
      <Announced>
        {conflict === undefined ? null : (
          <Notice tone="calm">
            <p>Somebody else has saved in the meantime. Your terms are still here; save again to replace theirs.</p>
            {conflict.length === 0 ? (
              <p>They have left the built-in terms alone.</p>
            ) : (
              <ul aria-label="What they have saved">
                {conflict.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </Notice>
        )}
        {save.error === null || save.error.status === 409 || listOfError !== undefined ? null : (
          <Notice tone="failed">{save.error.message}</Notice>
        )}
        {save.isSuccess && conflict === undefined ? <Notice tone="done">Saved. It is in force.</Notice> : null}
      </Announced>
      <div>
        <button type="submit" className="button button-solid" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save'}
        </button>
      </div>
    </form>
  )
}

function BuiltIn({ terms }: { terms: readonly string[] }) {
  return (
    <details className="names-built-in">
      <summary>{`${terms.length} built in`}</summary>
      <p>{terms.join(', ')}</p>
    </details>
  )
}

function typedIn(form: FormData): Omit<WantedNames, 'version'> {
  const of = (name: string): string[] => {
    const value = form.get(name)
    return typeof value === 'string' ? linesIn(value) : []
  }
  return { refused: of('refused'), pairs: { minority: of('minority'), sexual: of('sexual') } }
}
