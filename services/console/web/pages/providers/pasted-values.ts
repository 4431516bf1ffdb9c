/** Values of a provider's console that a text contains. */
export interface PastedValues {
  readonly client_id?: string
  readonly client_secret?: string
  /** Options of the provider by name, such as `team_id`. */
  readonly options: Readonly<Record<string, string>>
}

/**
 * Names of values in downloads of providers and in environments of applications, without separators and case. The part before, such as
 * `GOOGLE_`, names the provider.
 */
const names: readonly (readonly [field: string, pattern: RegExp])[] = [
  [
    'client_secret',
    /(clientsecret|channelsecret|appsecret|consumersecret|apisecretkey|apisecret|privatekey|secretkey)$/,
  ],
  ['client_id', /(clientid|channelid|appid|applicationid|consumerkey|apikey|servicesid|serviceid)$/],
  ['team_id', /teamid$/],
  ['key_id', /keyid$/],
]

/** Other names of providers in names of values. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  messaging: ['line'],
  portal: ['yahoo', 'yahoojapan', 'yahoojp', 'yjp'],
  social: ['facebook', 'fb', 'meta'],
  search: ['google', 'gcp'],
  device: ['apple'],
  microblog: ['twitter', 'x'],
}

/**
 * Finds values of a provider in a text: JSON as providers offer it to download (such as `client_secret_….json` of Google), lines of an
 * environment (`NAME=value`, as in `.env`), or a private key in PEM. If the text names several providers, only the values of this
 * one count.
 *
 * @param fileName of a dropped file: a key of Apple has its ID there (`AuthKey_<ID>.p8`)
 */
export function readPastedValues(text: string, provider: string, fileName = ''): PastedValues {
  const pem = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]+?-----END [A-Z ]*PRIVATE KEY-----/.exec(text)?.[0]
  if (pem !== undefined && text.trim() === pem) {
    const keyId = /^AuthKey_([A-Z0-9]{10})\.p8$/.exec(fileName)?.[1]
    return { client_secret: pem, options: keyId === undefined ? {} : { key_id: keyId } }
  }
  const pairs = listPairs(text).flatMap(([name, value]) => identify(name, value))
  const prefixes = [provider, ...(otherNames[provider] ?? [])].map(simplify)
  const own = pairs.filter(({ prefix }) => prefixes.some((one) => prefix.endsWith(one)))
  const chosen = own.length > 0 ? own : pairs.filter(({ prefix }) => !namesAnotherProvider(prefix, prefixes))
  // The first of a name counts.
  const byField = Object.fromEntries(chosen.toReversed().map(({ field, value }) => [field, value]))
  const { client_id, client_secret, ...options } = byField
  return {
    ...(client_id !== undefined && { client_id }),
    ...(client_secret !== undefined && { client_secret }),
    options,
  }
}

function namesAnotherProvider(prefix: string, own: readonly string[]): boolean {
  return Object.values(otherNames)
    .flat()
    .some((name) => !own.includes(name) && prefix.endsWith(name))
}

/** The field that a name means, and what stands before it; none for other names. */
function identify(name: string, value: string) {
  const simple = simplify(name)
  for (const [field, pattern] of names) {
    const match = pattern.exec(simple)
    if (match) return [{ field, prefix: simple.slice(0, match.index), value: value.trim() }]
  }
  return []
}

/** All names with a text as value; those of objects in JSON by their path. */
function listPairs(text: string): (readonly [name: string, value: string])[] {
  try {
    return listTexts(JSON.parse(text), '')
  } catch {
    return [...text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*[=:]\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^\n#]*)/gm)].map(
      ([, name = '', value = '']) => [name, unquote(value.trim())],
    )
  }
}

function listTexts(value: unknown, path: string): (readonly [name: string, value: string])[] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'number') return [[path, String(value)]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, own]) => listTexts(own, `${path}.${name}`))
}

/** A private key is often one line with `\n` for its line ends. */
function unquote(value: string): string {
  const inner = /^(["'])([\s\S]*)\1$/.exec(value)?.[2] ?? value
  return inner.replaceAll('\\n', '\n')
}

function simplify(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
