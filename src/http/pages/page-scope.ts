import type { Scope } from '../cache/response-cache.ts'

/** The dependencies of a page that is being rendered, and the listener for its sending: its loaders state them. */
export class PageScope implements Scope {
  readonly #stated: Scope[] = []
  readonly #onSend: ((callerAddress: string) => void)[] = []
  #isKnown = true

  /** @param scope undefined: on more than can be said */
  state(scope: Scope | undefined): void {
    if (scope === undefined) this.#isKnown = false
    else this.#stated.push(scope)
  }

  /** Has this called each time the page is sent, a kept one too, with its reader's address. It must not throw or wait. */
  whenSent(notify: (callerAddress: string) => void): void {
    this.#onSend.push(notify)
  }

  /** Undefined where nobody wants to know. */
  get onSend(): ((callerAddress: string) => void) | undefined {
    const listeners = [...this.#onSend]
    if (listeners.length === 0) return undefined
    return (callerAddress) => {
      for (const notify of listeners) notify(callerAddress)
    }
  }

  isOver(): boolean {
    return this.#stated.some((scope) => scope.isOver?.() === true)
  }

  isTouchedSince(version: number): boolean {
    return !this.#isKnown || this.#stated.some((scope) => scope.isTouchedSince(version))
  }
}
