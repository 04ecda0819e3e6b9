import { networkSentence, type Reply, sentenceOf } from '../../../../browser/api-client.ts'

export type Message =
  | { sentence: string; language?: undefined; detail?: undefined }
  /** Some fixed sentences are in Portuguese (docs/spec/billing.md#texts): the detail says in English what to do. */
  | { sentence: string; language: 'pt-BR'; detail: string }

export type CheckoutOutcome =
  | { kind: 'pay'; url: string }
  | { kind: 'sign-in' }
  /** A subscription lives or is being paid: nothing further is bought, and the address is where to see to it. */
  | { kind: 'subscribed'; sentence: string; url: string; isPortal: boolean }
  | { kind: 'refused'; message: Message }

/** The next step after the answer to a checkout (docs/spec/billing.md#texts). */
export function checkoutOutcome(reply: Reply): CheckoutOutcome {
  const url = addressIn(reply)
  const sentence = sentenceOf(reply)
  if (reply.ok && url !== undefined) return { kind: 'pay', url }
  if (reply.status === 401) return { kind: 'sign-in' }
  if (reply.status === 409 && url !== undefined) {
    const isPortal = (reply.data as { code?: unknown }).code !== 'checkout.paying'
    return { kind: 'subscribed', sentence: sentence ?? 'You have a subscription already.', url, isPortal }
  }
  return { kind: 'refused', message: sentence === undefined ? noReason : { sentence } }
}

const noReason: Message = {
  sentence: 'Erro ao redirecionar para o Stripe.',
  language: 'pt-BR',
  detail: 'The payment page did not open. Nothing was charged; please try again in a minute.',
}

export const unansweredCheckout: CheckoutOutcome = {
  kind: 'refused',
  message: {
    sentence: 'Erro ao processar pagamento. Veja o console para detalhes.',
    language: 'pt-BR',
    detail: 'No answer came. Nothing was charged; please check your connection and try again.',
  },
}

/**
 * The address of the billing portal, or why there is none.
 * @param reply undefined when no answer came
 */
export function portalOutcome(reply: Reply | undefined): { url: string } | { message: Message } {
  const url = reply?.ok === true ? addressIn(reply) : undefined
  if (url !== undefined) return { url }
  const reason = reply === undefined ? networkSentence : sentenceOf(reply)
  return {
    message: {
      sentence: 'Erro ao acessar o portal de gerenciamento. Tente novamente.',
      language: 'pt-BR',
      detail: reason ?? 'The billing portal did not open. Please try again in a minute.',
    },
  }
}

/** The web address that an answer leads to. Nothing else is followed, whatever has answered in the server's place. */
function addressIn({ data }: Reply): string | undefined {
  const url = typeof data === 'object' && data !== null ? (data as { url?: unknown }).url : undefined
  if (typeof url !== 'string') return undefined
  const protocol = URL.parse(url)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? url : undefined
}
