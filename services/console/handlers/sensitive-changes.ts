import type { z } from 'zod'
import { type AdminApi, adminApi } from '#admin-api'
import type { Call } from '#bus'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { type StreamKey, selectAuditStreams } from '../store/audit-streams.ts'
import { readNoticeChannel } from './notice-channel.ts'
import { resolveSite } from './resolve-site.ts'

/** The procedures that are sensitive only if they change certain fields. */
type FieldSensitive = {
  [N in keyof AdminApi]: AdminApi[N] extends { sensitive: readonly string[] } ? N : never
}[keyof AdminApi]

/** Reads the stored values, to compare them with the sent ones. */
const readStored: {
  readonly [N in FieldSensitive]: (input: z.output<AdminApi[N]['input']>, deps: Deps, call: Call) => Promise<object>
} = {
  changeSite: ({ account, site_id }, deps, call) => resolveSite({ account, site_id }, deps, call),
  async changeClient({ account, site_id, client_id }, deps, call) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    return deps.provider_auth.readClient({ site, client_id }, call)
  },
  async changeWebhook({ account, site_id, endpoint_id }, deps, call) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    return deps.events.readEndpoint({ site, endpoint_id }, call)
  },
  // The stored URL is a secret, so that each URL counts as a change.
  changeNoticeChannel: (channel, deps) => readNoticeChannel(channel, deps),
  changeAuditStream: ({ account, stream_id }, deps) => readStream({ account, stream_id }, deps),
  changeInstallationAuditStream: ({ stream_id }, deps) => readStream({ account: null, stream_id }, deps),
}

async function readStream(key: StreamKey, { knex }: Deps): Promise<object> {
  const [stream] = await selectAuditStreams(knex, key)
  if (stream === undefined) throw new AdminFault('not_found')
  return stream
}

/** Whether the input changes a field for which the procedure is sensitive. */
export async function changesSensitiveField(name: string, input: object, deps: Deps, call: Call): Promise<boolean> {
  if (!isFieldSensitive(name)) return false
  const sentFields = adminApi[name].sensitive.filter((field) => Reflect.get(input, field) !== undefined)
  if (sentFields.length === 0) return false
  // The input was parsed with the schema of the procedure `name`.
  const before = await (readStored[name] as (input: object, deps: Deps, call: Call) => Promise<object>)(
    input,
    deps,
    call,
  )
  return sentFields.some(
    (field) => JSON.stringify(Reflect.get(input, field)) !== JSON.stringify(Reflect.get(before, field)),
  )
}

function isFieldSensitive(name: string): name is FieldSensitive {
  return Object.hasOwn(readStored, name)
}
