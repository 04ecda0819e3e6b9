import { useRouteLoaderData } from 'react-router'
import { type FieldWords, fieldWordsOf } from './bulk-words.ts'

/** The labels of the fields, with links named after the site's file hosts. */
export function useFieldWords(): FieldWords {
  const site = useRouteLoaderData<{ fileHosts: readonly { label: string }[] }>('root')
  return fieldWordsOf(site?.fileHosts.map(({ label }) => label) ?? [])
}
