/** Names under which secrets are sent, at any depth: option secrets of login providers among them. */
const secret_names = new Set([
  'client_secret',
  'api_key',
  'token',
  'password',
  'link',
  'secret',
  'webhook_secret',
  'private_key',
])
const mask = '•••'

/** The same value with every secret masked: what the audit trail keeps. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secret_names.has(name) && typeof inner === 'string' ? mask : withoutSecrets(inner),
    ]),
  )
}
