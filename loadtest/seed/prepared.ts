import { z } from 'zod'

const PreparedSite = z.object({
  api_key: z.string(),
  /** Some of its users. */
  identifiers: z.array(z.string()),
})
export type PreparedSite = z.infer<typeof PreparedSite>

export const LoginSite = z.object({
  api_key: z.string(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    redirect_uri: z.string(),
    /** URLs of the authorization endpoint by provider, without query. */
    authorize: z.record(z.string(), z.string()),
  }),
})
export type LoginSite = z.infer<typeof LoginSite>
export type LoginClient = LoginSite['client']

/** Sites with API keys, as `loadtest/seed.ts --keys-file` writes them. The file is readable only by its owner. */
export const Sites = z.object({
  sites: z.array(PreparedSite),
  /** The site for logins; null: the scenario has none. */
  login_site: LoginSite.nullable().default(null),
})
export type Sites = z.infer<typeof Sites>

/** The input of a script. */
export interface Prepared extends Sites {
  /** Base URL of the Web API, without `/api`. */
  readonly web_api: string
  readonly auth: string
}
