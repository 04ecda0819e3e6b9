/**
 * '$12.00'. Every sum is written so, in the currency of the charge.
 * @param amount in the currency's smallest unit, as Stripe tells it: cents, but whole yen
 * @param currency ISO 4217, in any case
 */
export function moneyInWords(amount: number, currency: string): string {
  const words = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return words.format(amount / 10 ** (words.resolvedOptions().maximumFractionDigits ?? 2))
}
