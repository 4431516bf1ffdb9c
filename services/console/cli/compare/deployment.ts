import { z } from 'zod'
import { CliError } from '../cli-error.ts'
import { SecretReference } from '../domain/secret-reference.ts'
import type { Io } from '../io.ts'
import { readSecret } from '../read-secret.ts'

const baseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).transform(removeFinalSlash)

const DeploymentFile = z.strictObject({
  /** Base addresses, without `/api` and `/oauth2`. */
  web_api_url: baseUrl,
  auth_url: baseUrl,
  /** For userinfo at another address. */
  userinfo_url: baseUrl.optional(),
  api_key: SecretReference,
  client_id: z.string().min(1).optional(),
  client_secret: SecretReference.optional(),
  /** An access token that has expired. */
  expired_access_token: SecretReference.optional(),
})

const UserName = z.union(
  [z.strictObject({ identifier: z.string().min(1) }), z.strictObject({ primary_key: z.string().min(1) })],
  {
    error: 'must have either identifier or primary_key',
  },
)
export type UserName = z.infer<typeof UserName>

/** The file of `compare`. */
export const ComparisonFile = z.strictObject({
  before: DeploymentFile,
  after: DeploymentFile,
  /** Users that both deployments have. */
  users: z.array(UserName).max(100).default([]),
})

/** A deployment with its secrets. */
export interface Deployment {
  readonly web_api_url: string
  readonly auth_url: string
  readonly userinfo_url: string
  readonly api_key: string
  readonly client_id: string | undefined
  readonly client_secret: string | undefined
  readonly expired_access_token: string | undefined
}

/** @throws CliError `usage` if a secret cannot be read, or would be sent without TLS */
export async function openDeployment(
  name: 'before' | 'after',
  file: z.output<typeof DeploymentFile>,
  { allowHttp }: { readonly allowHttp?: boolean },
  io: Io,
): Promise<Deployment> {
  const { web_api_url, auth_url, userinfo_url = `${auth_url}/oauth2/userinfo` } = file
  for (const address of [web_api_url, auth_url, userinfo_url])
    if (!allowHttp && !isEncryptedOrLocal(address))
      throw new CliError(
        'usage',
        `${name}: ${address} would send secrets unencrypted. Use https://, or --allow-http within a network you trust.`,
      )
  const read = async (field: 'api_key' | 'client_secret' | 'expired_access_token') => {
    const reference = file[field]
    return (
      reference &&
      readSecret(reference, io).catch((error: unknown) => {
        throw new CliError('usage', `${name}.${field}: ${error instanceof Error ? error.message : 'cannot be read'}`)
      })
    )
  }
  const apiKey = (await read('api_key')) ?? ''
  return {
    web_api_url,
    auth_url,
    userinfo_url,
    api_key: apiKey,
    client_id: file.client_id,
    client_secret: await read('client_secret'),
    expired_access_token: await read('expired_access_token'),
  }
}

function isEncryptedOrLocal(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function removeFinalSlash(address: string): string {
  return address.replace(/\/+$/, '')
}
