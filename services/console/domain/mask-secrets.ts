/** Endings of the names of secret fields, including secret options of login providers, and names of fields with personal data. */
const secretName = /(^|_)(secret|token|password|link)$|^(api|private)_key$|^(chat_url|email_address)$/
const mask = '•••'

/** Returns the value with every secret masked, for the audit trail. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === 'string' ? mask : maskSecrets(inner),
    ]),
  )
}
