/** Endings of the names of secret fields, including secret options of login providers, and names of fields with personal data. */
const secretName = /(^|_)(secret|token|password|link)$|^(api|private)_key$|^(chat_url|email_address)$/
const mask = '•••'

/** A map of the headers of requests, such as `authorization`: all values can be secret. */
const headersName = 'headers'

/** Returns the value with every secret masked, for the audit trail. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskField(name, inner)]))
}

function maskField(name: string, value: unknown): unknown {
  if (name === headersName && typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.keys(value).map((header) => [header, mask]))
  return secretName.test(name) && typeof value === 'string' ? mask : maskSecrets(value)
}
