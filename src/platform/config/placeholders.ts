const placeholderWords =
  /change[\W_]*(me|this|it)|replace[\W_]*(me|this|with)|place[\W_]*holder|example|your[\W_]*(own|stripe|secret|api|key|password|token|live|webhook)|^(todo|dummy|fixme|pass(word|wort)?|secret([\W_]*key)?|none|null|undefined)$/i

/** `sk_live_changeme`, `whsec_example`, `xxx`, `…`: what stands behind the prefix was never given out by anybody. */
export function isPlaceholder(secret: string): boolean {
  const own = secret.replace(/^((sk|rk)_(live|test)|whsec|price)_/, '')
  return placeholderWords.test(own) || /^(.)\1{2,}$|^[.…*<>x_-]+$/i.test(own)
}
