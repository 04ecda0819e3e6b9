import type { Scope } from '../cache/response-cache.ts'

/** What a page in the making depends on: its loaders state it. */
export class PageScope implements Scope {
  readonly #stated: Scope[] = []
  #isKnown = true

  /** @param scope undefined: on more than can be said */
  state(scope: Scope | undefined): void {
    if (scope === undefined) this.#isKnown = false
    else this.#stated.push(scope)
  }

  isTouchedSince(version: number): boolean {
    return !this.#isKnown || this.#stated.some((scope) => scope.isTouchedSince(version))
  }
}
