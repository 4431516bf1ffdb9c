/** The claim `erasure` of a receipt, as far as the page shows it. */
export interface ReceiptClaims {
  readonly services: readonly {
    readonly service: string
    readonly erased_at: string
    readonly deleted: Readonly<Record<string, number>>
  }[]
  readonly retained: readonly {
    readonly kind: string
    readonly holder: string
    readonly holds: string
    readonly kept: string
  }[]
}

/** Reads the payload of a JWS in compact form (RFC 7515 7.1). */
export function readReceipt(receipt: string): ReceiptClaims {
  const [, payload = ''] = receipt.split('.')
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
  // The service signed it with this form.
  return (JSON.parse(new TextDecoder().decode(bytes)) as { readonly erasure: ReceiptClaims }).erasure
}
