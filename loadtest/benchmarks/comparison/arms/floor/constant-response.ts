import { z } from 'zod'

/** The response of an echo, the same for every request. */
export const ConstantResponse = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
})
export type ConstantResponse = z.infer<typeof ConstantResponse>

/** The response that this process sends. */
export function readConstantResponse(): ConstantResponse {
  return ConstantResponse.parse(JSON.parse(process.env.RESPONSE ?? ''))
}

/** Fields that every server adds by itself. */
const ownFields = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Copies a response of the product, so that an echo sends the same bytes. */
export async function copyResponse(response: Response): Promise<ConstantResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !ownFields.has(name))),
    body: await response.text(),
  }
}
