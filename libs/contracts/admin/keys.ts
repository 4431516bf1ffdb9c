import { z } from 'zod'
import { ExistingSecret } from '../objects/existing-secret.ts'
import { Count, Text, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export const ApiKey = z.object({
  api_key_id: z.uuid(),
  name: z.string(),
  /** The last four characters, to recognize the key. */
  last_four: z.string(),
  /** Another service issued it: other copies may exist, so rotate it. */
  brought_along: z.boolean(),
  created_at: Timestamp,
  revoked_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
  /** Calls with this key in the last hour, and its share of the site's calls. */
  calls_last_hour: Count,
  share_last_hour: z.number().min(0).max(1),
  /** Addresses that called with this key in the last hour, most calls first. */
  callers_last_hour: z.array(z.object({ address: z.string(), calls: Count })).max(20),
})

export const keyProcedures = adminProcedures({
  listApiKeys: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/keys',
    summary: 'API keys of a site, with their last use',
    role: 'viewer',
    input: SiteReference,
    output: z.object({ keys: z.array(ApiKey) }),
  },
  issueApiKey: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/keys',
    summary: 'Issue an API key, which is returned in this response only. A site can have two active keys',
    role: 'owner',
    sensitive: true,
    input: SiteReference.extend({ name: Text.trim().min(1).max(100) }),
    output: z.object({ api_key_id: z.uuid(), api_key: z.string() }),
    faults: { conflict: 'Two keys are active. Revoke one first.' },
  },
  enterApiKey: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/keys/existing',
    summary:
      'Enter an API key that another service issued, so that your servers keep it during a migration. Rotate it afterwards',
    role: 'owner',
    sensitive: true,
    input: SiteReference.extend({ name: Text.trim().min(1).max(100), api_key: ExistingSecret }),
    output: z.object({ api_key_id: z.uuid() }),
    faults: { conflict: 'Two keys are active, or the key is known already.' },
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/keys/{api_key_id}',
    summary: 'Revoke an API key permanently. It stops working within a second',
    role: 'owner',
    sensitive: true,
    input: SiteReference.extend({ api_key_id: z.uuid() }),
    output: z.object({}),
  },
})
