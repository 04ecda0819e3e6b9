import type { Clock } from '../../src/platform/time/clock.ts'

/** A clock that stands still until it is told to move. */
export class TestClock implements Clock {
  #now: number

  constructor(instant: string) {
    this.#now = Date.parse(instant)
  }

  now(): number {
    return this.#now
  }

  set(instant: string): void {
    this.#now = Date.parse(instant)
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds
  }
}
