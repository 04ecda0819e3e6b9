/** A refusal in Stripe's words. Anything else that is thrown is a defect of the sandbox. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined

  constructor(
    status: number,
    message: string,
    { type = 'invalid_request_error', code, param }: { type?: string; code?: string; param?: string } = {},
  ) {
    super(message)
    this.status = status
    this.type = type
    this.code = code
    this.param = param
  }

  toJSON(): { error: Record<string, string> } {
    const { type, code, message, param } = this
    return {
      error: {
        ...(code !== undefined && {
          code,
          doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
        }),
        message,
        ...(param !== undefined && { param }),
        type,
      },
    }
  }
}

/** @param param where the id stood; an id in the address is a 404, one in the parameters a 400. */
export function noSuch(thing: string, id: string, param?: string): StripeRefusal {
  return new StripeRefusal(param === undefined ? 404 : 400, `No such ${thing}: '${id}'`, {
    code: 'resource_missing',
    param: param ?? 'id',
  })
}
