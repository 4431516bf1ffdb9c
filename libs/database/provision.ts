import pg from 'pg'

/**
 * Creates a role and a database of the same name, to which only this role may connect, if they do not exist; sets the
 * password.
 *
 * @param superuserUrl of a role that may create roles and databases
 * @returns the URL of the new database as its own role
 */
export async function provisionDatabase(
  superuserUrl: string,
  { name, password }: { name: string; password: string },
): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const role = client.escapeIdentifier(name)
    const { rowCount: roles } = await client.query('select from pg_roles where rolname = $1', [name])
    await client.query(`${roles ? 'alter' : 'create'} role ${role} login password ${client.escapeLiteral(password)}`)
    const { rowCount: databases } = await client.query('select from pg_database where datname = $1', [name])
    if (!databases) {
      await client.query(`create database ${role} owner ${role}`)
      await client.query(`revoke all on database ${role} from public`)
    }
  } finally {
    await client.end()
  }
  const url = new URL(superuserUrl)
  url.username = name
  url.password = password
  url.pathname = `/${name}`
  return url.href
}
