import { type Reply, sentenceOf } from '../../accounts/call-api.ts'

/** What a member is told when something did not go as he wished. */
export interface Told {
  sentence: string
  /** Two sentences of PRODUCT.md, section 8, are in Portuguese; a screen reader is told so. */
  language?: 'pt-BR'
  detail?: string
}

export type CheckoutOutcome =
  | { kind: 'pay'; url: string }
  | { kind: 'sign-in' }
  /** A subscription lives or is being paid: nothing further is bought, and the address is where to see to it. */
  | { kind: 'subscribed'; sentence: string; url: string; isPortal: boolean }
  | { kind: 'refused'; told: Told }

/** What follows from the answer to a checkout (PRODUCT.md, sections 8 and 12, "Billing"). */
export function checkoutOutcome(reply: Reply): CheckoutOutcome {
  const url = addressIn(reply)
  const sentence = sentenceOf(reply)
  if (reply.ok && url !== undefined) return { kind: 'pay', url }
  if (reply.status === 401) return { kind: 'sign-in' }
  if (reply.status === 409 && url !== undefined) {
    const isPortal = (reply.data as { code?: unknown }).code !== 'checkout.paying'
    return { kind: 'subscribed', sentence: sentence ?? 'You have a subscription already.', url, isPortal }
  }
  return { kind: 'refused', told: sentence === undefined ? noReason : { sentence } }
}

const noReason: Told = { sentence: 'Erro ao redirecionar para o Stripe.', language: 'pt-BR' }

/** A checkout without an answer. */
export const unansweredCheckout: CheckoutOutcome = {
  kind: 'refused',
  told: {
    sentence: 'Erro ao processar pagamento. Veja o console para detalhes.',
    language: 'pt-BR',
    detail: 'No answer came. Nothing was charged; please check your connection and try again.',
  },
}

/**
 * The address of the billing portal, or why there is none.
 * @param reply undefined when no answer came
 */
export function portalOutcome(reply: Reply | undefined): { url: string } | { told: Told } {
  const url = reply?.ok === true ? addressIn(reply) : undefined
  if (url !== undefined) return { url }
  const detail = reply === undefined ? 'Network error. Please check your connection.' : sentenceOf(reply)
  return {
    told: {
      sentence: 'Erro ao acessar o portal de gerenciamento. Tente novamente.',
      language: 'pt-BR',
      ...(detail === undefined ? {} : { detail }),
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
