const long_forms: Readonly<Record<string, string>> = {
  email: 'https://www.googleapis.com/auth/userinfo.email',
  profile: 'https://www.googleapis.com/auth/userinfo.profile',
}
const short_forms = new Map(Object.entries(long_forms).map(([short, long]) => [long, short]))

export const known_scopes: ReadonlySet<string> = new Set(['openid', 'email', 'profile'])

/** `email` and `profile` may also be asked for in their long forms. */
export function shortForm(scope: string): string {
  return short_forms.get(scope) ?? scope
}

/** As the token endpoint tells it: long forms only. */
export function longForms(scopes: readonly string[]): string {
  return scopes.map((scope) => long_forms[scope] ?? scope).join(' ')
}

/** As the callback tells it: both forms. */
export function bothForms(scopes: readonly string[]): string {
  return [...scopes.filter((scope) => scope in long_forms), longForms(scopes)].join(' ')
}
