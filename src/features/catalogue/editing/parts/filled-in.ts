import { useState } from 'react'
import { useLocation } from 'react-router'
import type { FormValues } from './form-values.ts'

/** Fills in what the address says beside what is stored: `name` of a new entry, and one more title under `alsoKnownAs`. */
export function useFilledIn(): (values: FormValues) => FormValues {
  const { search } = useLocation()
  // As it was when the form was opened.
  const [requested] = useState(() => new URLSearchParams(search))
  return (values) => {
    const name = requested.get('name') ?? ''
    const title = requested.get('alsoKnownAs') ?? ''
    const titles = values.alsoKnownAs.split(';').map((one) => one.trim())
    return {
      ...values,
      name: values.name === '' ? name : values.name,
      alsoKnownAs:
        title === '' || titles.includes(title)
          ? values.alsoKnownAs
          : [...titles, title.replaceAll(';', ',')].filter((one) => one !== '').join('; '),
    }
  }
}
