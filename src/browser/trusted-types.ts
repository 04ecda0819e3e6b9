/** The part of the browser's Trusted Types that pages use. The compiler's own types do not have it yet. */
interface TrustedTypes {
  /** No markup at all, of the type that a page with the policy takes in place of a text. */
  readonly emptyHTML: TrustedHTML
  createPolicy(
    name: string,
    rules: Partial<Record<keyof TrustedTypePolicy, (text: string) => string>>,
  ): TrustedTypePolicy
}

export interface TrustedTypePolicy {
  createHTML(text: string): TrustedHTML
  /** A type that the compiler does not have. */
  createScriptURL(address: string): unknown
}

/** Undefined on the server, and in a browser that does not know them. */
export const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
