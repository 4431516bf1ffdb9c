import pg from 'pg'
import { readArmEnvironment } from '../environment.ts'
import { userStatement } from '../skeleton/statements.ts'
import { driveOperation } from './driver.ts'

/** The prepared look-up of a user, by the stock client. */
const pool = new pg.Pool({ connectionString: readArmEnvironment().IDENTITY_URL })
const { rows: users } = await pool.query<{ site: number; identifier: string }>(
  'select site, identifier from users order by md5(identifier) limit 10000',
)
driveOperation((n) => {
  const user = users[n % users.length]
  return pool.query({ ...userStatement, values: [user?.site, user?.identifier] })
})
