/** Adds up what .ci/run has run: `sum-results.mjs FAILED FOLDER`. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [somethingFailed, folder] = process.argv.slice(2)
let passed = 0
let failed = 0
let testsRun = 0
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), 'utf8')
  if (name.endsWith('.json')) {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(text)
    passed += numPassedTests
    // A file that does not even load has no test that failed.
    failed += numFailedTests > 0 || success ? numFailedTests : Math.max(1, numFailedTestSuites)
    testsRun += numPassedTests + numFailedTests
  } else {
    const counts = /^(\d+) passed, (\d+) failed$/m.exec(text)
    passed += Number(counts?.[1] ?? 0)
    failed += Number(counts?.[2] ?? 1)
  }
}
if (failed === 0 && (somethingFailed !== '0' || testsRun === 0)) failed = 1
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
