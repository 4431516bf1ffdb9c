import { z } from 'zod'

const ErrorBody = z.union([
  z.object({ error: z.string() }).transform(({ error }) => error),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/** Reads a provider's `error` (RFC 6749 5.2) or `message`; for other responses returns the status. */
export async function readProviderError(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return ErrorBody.parse(JSON.parse(text))
  } catch {
    return `status_${response.status}`
  }
}
