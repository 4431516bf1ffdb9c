/** Columns that are fields of a user; all others are attributes. */
const userFields = ['Username', 'UserCreateDate', 'Enabled']

/** Whether a header is that of a user pool: of its own import, or of the exports that people write with `list-users`. */
export function isCognitoHeader(header: readonly string[]): boolean {
  return (
    header.includes('cognito:username') ||
    (header.includes('sub') && header.includes('UserStatus')) ||
    header.includes('Username')
  )
}

/** Converts a row to a user as `list-users` writes it. */
export function readCognitoRow(header: readonly string[], row: readonly string[]): object {
  const given = header.flatMap((name, at): [string, string][] => (row[at] ? [[name, row[at]]] : []))
  const values = new Map(given)
  return {
    ...Object.fromEntries(given.filter(([name]) => userFields.includes(name))),
    Username: values.get('Username') ?? values.get('cognito:username') ?? values.get('sub'),
    ...(values.has('Enabled') ? { Enabled: values.get('Enabled')?.toLowerCase() } : {}),
    Attributes: given.filter(([name]) => !userFields.includes(name)).map(([Name, Value]) => ({ Name, Value })),
  }
}
