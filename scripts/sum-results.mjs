/** Adds up what .ci/run has run, and tells which files took longest and what failed: `sum-results.mjs FAILED FOLDER`. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const [somethingFailed, folder] = process.argv.slice(2)
let passed = 0
let failed = 0
let testsRun = 0
const failures = []
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), 'utf8')
  if (name.endsWith('.json')) {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success, testResults } = JSON.parse(text)
    reportSlowest(name, testResults)
    failures.push(...findFailures(name, testResults))
    passed += numPassedTests
    // A file that does not even load has no test that failed.
    failed += numFailedTests > 0 || success ? numFailedTests : Math.max(1, numFailedTestSuites)
    testsRun += numPassedTests + numFailedTests
  } else if (name === 'check.txt') {
    const counts = /^(\d+) passed, (\d+) failed$/m.exec(text)
    passed += Number(counts?.[1] ?? 0)
    failed += Number(counts?.[2] ?? 1)
    failures.push(...(text.match(/^FAIL .*$/gm) ?? []))
  } else failures.push(...findErrorsOutsideTests(name, text))
}
function reportSlowest(name, files) {
  const timed = files.map(({ name: file, startTime, endTime }) => ({ file, seconds: (endTime - startTime) / 1_000 }))
  console.log(`== the slowest files (${name.replace('.json', '')}; all files one after the other: ${sumOf(timed)} s)`)
  for (const { file, seconds } of timed.sort((a, b) => b.seconds - a.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s ${relative(process.cwd(), file)}`)
}

/** One line for each failed test and each file that did not load: people get to see the end of a long output. */
function findFailures(name, files) {
  return files.flatMap(({ name: file, status, message, assertionResults }) => {
    const where = `${name.replace('.json', '')} ${relative(process.cwd(), file)}`
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [`${where}\n    ${message}`] : []
    return failed.map(
      ({ fullName, failureMessages }) => `${where} > ${fullName}\n    ${failureMessages.join('\n    ')}`,
    )
  })
}

/** An error that no test has caught fails a run as well, and stands in the output alone, not in the counts. */
function findErrorsOutsideTests(name, output) {
  const errors = /^.*Unhandled Errors.*$([\s\S]*?)^.*Test Files/m.exec(stripVTControlCharacters(output))
  return errors === null ? [] : [`${name.replace('.log', '')}, outside of the tests:\n${errors[1].trim()}`]
}

function sumOf(timed) {
  return Math.round(timed.reduce((sum, { seconds }) => sum + seconds, 0))
}

if (failed === 0 && (somethingFailed !== '0' || testsRun === 0)) failed = 1
if (failures.length > 0) console.log(`== what failed\n${failures.join('\n')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
