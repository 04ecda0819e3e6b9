import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../src/app/config.ts'
import { fileVariableOf, type Setting } from '../src/platform/config/setting.ts'

const guide = join(resolve(import.meta.dirname, '..'), 'docs/operating.md')

function defaultInWords({ default: value, byDefault }: Setting): string {
  if (byDefault !== undefined) return byDefault
  if (value === undefined) return 'unset'
  return typeof value === 'string' ? value : JSON.stringify(typeof value === 'boolean' ? Number(value) : value)
}

/** The columns are as wide as their longest cell, as the formatter has them. */
function tableOf(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

test('docs/operating.md has each setting with its meaning and its default; -u writes the table', async () => {
  const table = tableOf([
    ['Variable', 'Meaning', 'Default'],
    ...settings.map((each) => [
      `\`${each.name}\``,
      `${each.sentence}${each.isSecret ? '. Secret' : ''}`.replaceAll('|', String.raw`\|`),
      defaultInWords(each),
    ]),
  ])
  const page = await readFile(guide, 'utf8')
  expect(page).toMatch(/^\| Variable /m)
  await expect(page.replace(/^\| Variable [^]*?\n(?=\n)/m, () => `${table}\n`)).toMatchFileSnapshot(guide)
})

test('no two settings have the same variable, and none is the file of another', () => {
  const names = settings.flatMap((each) => [each.name, fileVariableOf(each)])
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
})
