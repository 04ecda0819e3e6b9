/**
 * '$12.00'. Every sum is written so, in the currency of the charge.
 * @param amount in the currency's smallest unit, as Stripe tells it: cents, but whole yen
 * @param currency ISO 4217, in any case
 */
export function moneyInWords(amount: number, currency: string): string {
  const words = formatOf(currency)
  return words.format(amount / 10 ** decimalsOf(words))
}

/** The same sum as a number, with so many decimals as the currency has. */
export function moneyAsFigure(amount: number, currency: string): { figure: number; decimals: number } {
  const decimals = decimalsOf(formatOf(currency))
  return { figure: amount / 10 ** decimals, decimals }
}

function formatOf(currency: string): Intl.NumberFormat {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency })
}

function decimalsOf(words: Intl.NumberFormat): number {
  return words.resolvedOptions().maximumFractionDigits ?? 2
}
