import { z } from 'zod'

const PreparedSite = z.object({
  api_key: z.string(),
  /** Some of its users. */
  identifiers: z.array(z.string()),
})
export type PreparedSite = z.infer<typeof PreparedSite>

const LoginSite = z.object({
  api_key: z.string(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string(),
    redirect_uri: z.string(),
    /** Addresses of the authorization endpoint by provider, without query. */
    authorize: z.record(z.string(), z.string()),
  }),
})
export type LoginSite = z.infer<typeof LoginSite>
export type Client = LoginSite['client']

/** Sites to ask with, as `loadtest/seed.ts --keys-file` writes them. They hold keys: the file is for its owner alone. */
export const Sites = z.object({
  sites: z.array(PreparedSite),
  /** The site that people log in to; null: nobody logs in. */
  login_site: LoginSite.nullable().default(null),
})
export type Sites = z.infer<typeof Sites>

/** What a script is given to work with. */
export interface Prepared extends Sites {
  /** Base address of the Web API, without `/api`. */
  readonly web_api: string
  readonly auth: string
}
