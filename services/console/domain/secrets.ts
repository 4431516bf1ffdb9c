/** Last words of the names under which secrets are sent, at any depth: option secrets of login providers among them. */
const secretName = /(^|_)(secret|token|password|link)$|^(api|private)_key$/
const mask = '•••'

/** The same value with every secret masked: what the audit trail keeps. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretName.test(name) && typeof inner === 'string' ? mask : withoutSecrets(inner),
    ]),
  )
}
