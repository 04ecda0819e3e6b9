import { expect, test } from 'vitest'
import { jobInWords } from './job-words.ts'

test('names of jobs are words, and an email says of what kind it is', () => {
  expect(jobInWords('catalogue.restrict-lapsed')).toBe('Catalogue: restrict lapsed')
  expect(jobInWords('mail', 'Welcome')).toBe('Email: welcome')
  expect(jobInWords('mail')).toBe('Email')
  expect(jobInWords('something')).toBe('Something')
})
