import type { Adapter, AdapterConstructor, AdapterPayload } from 'oidc-provider'
import type pg from 'pg'

const statements = {
  upsert: `insert into payloads (model, id, payload, grant_id, uid, user_code, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
    on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      user_code = excluded.user_code, expires_at = excluded.expires_at`,
  find: `select payload, consumed_at from payloads where model = $1 and id = $2 and expires_at > now()`,
  findByUid: `select payload, consumed_at from payloads where model = $1 and uid = $2 and expires_at > now()`,
  findByUserCode: `select payload, consumed_at from payloads where model = $1 and user_code = $2 and expires_at > now()`,
  consume: 'update payloads set consumed_at = now() where model = $1 and id = $2',
  destroy: 'delete from payloads where model = $1 and id = $2',
  revoke: 'delete from payloads where model = $1 and grant_id = $2',
} as const

interface Row {
  readonly payload: AdapterPayload
  readonly consumed_at: Date | null
}

/** Creates the table of the adapter. */
export async function createPayloadTable(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create table payloads (
      model text not null,
      id text not null,
      payload jsonb not null,
      grant_id text,
      uid text,
      user_code text,
      expires_at timestamptz not null,
      consumed_at timestamptz,
      primary key (model, id)
    );
    create index on payloads (model, grant_id) where grant_id is not null;
    create index on payloads (model, uid) where uid is not null;
    create index on payloads (model, user_code) where user_code is not null`)
}

/** Stores the state of oidc-provider in Postgres, with one prepared statement for each of its calls. */
export function createPostgresAdapter(pool: pg.Pool): AdapterConstructor {
  return class PostgresAdapter implements Adapter {
    readonly #model: string

    constructor(model: string) {
      this.#model = model
    }

    async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
      const { grantId, uid, userCode } = payload
      await this.#run('upsert', id, JSON.stringify(payload), grantId, uid, userCode, expiresIn || secondsPerYear)
    }

    find(id: string): Promise<AdapterPayload | undefined> {
      return this.#select('find', id)
    }

    findByUid(uid: string): Promise<AdapterPayload | undefined> {
      return this.#select('findByUid', uid)
    }

    findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
      return this.#select('findByUserCode', userCode)
    }

    async consume(id: string): Promise<void> {
      await this.#run('consume', id)
    }

    async destroy(id: string): Promise<void> {
      await this.#run('destroy', id)
    }

    async revokeByGrantId(grantId: string): Promise<void> {
      await this.#run('revoke', grantId)
    }

    async #select(name: keyof typeof statements, key: string): Promise<AdapterPayload | undefined> {
      const [row] = await this.#run(name, key)
      if (row === undefined) return undefined
      return { ...row.payload, ...(row.consumed_at !== null && { consumed: true }) }
    }

    async #run(name: keyof typeof statements, ...values: readonly unknown[]): Promise<readonly Row[]> {
      const { rows } = await pool.query<Row>({ name, text: statements[name], values: [this.#model, ...values] })
      return rows
    }
  }
}

/** Clients and other models without an end. */
const secondsPerYear = 31_536_000
