import { expect, test } from 'vitest'
import { faultOf, isCrowded, isRefusal, mayHaveWritten, reasonOf } from './faults.ts'

test.each([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08P01',
  '53300',
  '25006',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])('%s is a fault of the connection', (code) => {
  expect(faultOf(Object.assign(new Error('no'), { code }))).toBe('broken')
})

test.each([
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
])('"%s" is one without a code', (message) => {
  expect(faultOf(new Error(message))).toBe('broken')
})

test('what a statement does wrong is no fault of the connection', () => {
  for (const code of ['23505', '42P01', '40001', 'DB001', 'item.not_found', undefined]) {
    expect(faultOf(Object.assign(new Error('duplicate key'), { code }))).toBeUndefined()
  }
  expect(faultOf(undefined)).toBeUndefined()
  for (const code of ['57014', '55P03']) expect(faultOf(Object.assign(new Error('no'), { code }))).toBe('too-slow')
})

test('a full disk is a fault of its own, unless the server ends of it', () => {
  expect(faultOf({ code: '53100', severity: 'ERROR' })).toBe('disk-full')
  expect(faultOf({ code: '53100', severity: 'FATAL' })).toBe('broken')
  expect(faultOf({ code: '53100', severity: 'PANIC' })).toBe('broken')
})

test('what the server has refused is known not to be done; what it was at when it ended is not', () => {
  for (const code of ['25006', '53100', '53200', '53300', '53400', '25P03']) {
    expect(isRefusal({ code, severity: 'ERROR' }), code).toBe(true)
  }
  for (const code of ['57P01', '57P02', '08006', 'ECONNRESET', 'EPIPE', undefined]) {
    expect(isRefusal({ code }), code).toBe(false)
  }
  expect(isRefusal({ code: '53100', severity: 'PANIC' })).toBe(false)
})

test('a server without room for another connection is there', () => {
  expect([isCrowded({ code: '53300' }), isCrowded({ code: '57P03' }), isCrowded(null)]).toEqual([true, false, false])
})

test('only a commit, or a write by itself, may have been done without an answer', () => {
  expect(mayHaveWritten('commit', true)).toBe(true)
  expect(mayHaveWritten('insert into items', true)).toBe(false)
  expect(mayHaveWritten('rollback', true)).toBe(false)
  expect(mayHaveWritten('insert into items', false)).toBe(true)
  expect(mayHaveWritten('\n  WITH gone AS (delete from items returning id) select 1', false)).toBe(true)
  expect(mayHaveWritten(' select 1', false)).toBe(false)
  expect(mayHaveWritten('begin', false)).toBe(false)
})

test('a read has changed nothing, whatever stands before it', () => {
  expect(mayHaveWritten('/* items */ select 1', false)).toBe(false)
  expect(mayHaveWritten('-- insert\n/* update\n */ select 1', false)).toBe(false)
  expect(mayHaveWritten('with named as (select updated_at from items) select * from named', false)).toBe(false)
  expect(mayHaveWritten('(select 1)', false)).toBe(false)
  expect(mayHaveWritten('/* items */ update items set name = $1', false)).toBe(true)
  expect(mayHaveWritten('/* x */ commit', true)).toBe(true)
  for (const verb of ['INSERT into', 'update', 'delete from', 'merge into']) {
    expect(mayHaveWritten(`with one as (select 1) ${verb} items`, false), verb).toBe(true)
  }
})

test('the reason of several attempts names each once', () => {
  const attempts = ['connect ECONNREFUSED ::1:1', 'connect ECONNREFUSED 127.0.0.1:1'].map((text) => new Error(text))
  expect(reasonOf(new AggregateError([...attempts, ...attempts]))).toBe(
    'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
  )
})
