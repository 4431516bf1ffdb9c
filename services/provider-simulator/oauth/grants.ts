import { createExpiringMap, type ExpiringMap } from '../expiring-map.ts'
import type { Scenarios } from '../scenarios/scenarios.ts'
import { createTokenStore, type TokenStore } from '../scenarios/token-store.ts'
import { simulatedClock } from '../simulated-clock.ts'

/** An end user's consent to a client, until it is withdrawn. */
export interface ProviderConsent {
  readonly client_id: string
  readonly name: string
  /** Unix time in ms. */
  readonly givenAtMs: number
  /** Permissions that the end user granted or declined, for providers that distinguish them. */
  readonly granted: Set<string>
  readonly declined: Set<string>
  withdrawn: boolean
}

/** The grant that a code or token belongs to. */
export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly consent: ProviderConsent
  /** The parameters of the authorization request. */
  readonly request: ReadonlyMap<string, string>
  readonly redirect_uri: string
  /** Unix time in seconds. */
  readonly auth_time: number
  /** The token response contains a refresh token. */
  readonly isRefreshable: boolean
}

interface Consents {
  /** Returns the existing consent, or records a new one. */
  readonly give: (clientId: string, name: string) => { readonly consent: ProviderConsent; readonly isFirst: boolean }
  readonly find: (clientId: string, name: string) => ProviderConsent | undefined
  /** Whether the consent was neither withdrawn nor ended by a scenario. */
  readonly isCurrent: (consent: ProviderConsent) => boolean
  readonly list: () => readonly ProviderConsent[]
}

/** The data of a provider's authorization server. */
export interface Grants {
  readonly codes: ExpiringMap<Grant>
  readonly accessTokens: TokenStore<Grant>
  readonly refreshTokens: TokenStore<Grant>
  readonly consents: Consents
}

/** In seconds. */
export interface Lifetimes {
  readonly code: number
  /** Infinity for tokens that do not expire. */
  readonly accessToken: number
  /** How long an access token can be found; by default as long as it is valid. */
  readonly storedAccessToken?: number
  /** For providers that issue refresh tokens. */
  readonly refreshToken?: number
}

export function createGrants(provider: string, lifetimes: Lifetimes, scenarios: Scenarios): Grants {
  const { code, accessToken, storedAccessToken = accessToken, refreshToken = 0 } = lifetimes
  const tokens = { provider, scenarios }
  return {
    codes: createExpiringMap(code),
    accessTokens: createTokenStore({
      ...tokens,
      kind: 'access',
      lifetimeSeconds: accessToken,
      storedSeconds: storedAccessToken,
    }),
    refreshTokens: createTokenStore({ ...tokens, kind: 'lasting', lifetimeSeconds: refreshToken }),
    consents: createConsents(provider, scenarios),
  }
}

/** The grant of a valid token whose consent was not withdrawn. */
export function findGrant(tokens: TokenStore<Grant>, token: string | undefined): Grant | undefined {
  const grant = tokens.get(token)
  return grant?.consent.withdrawn ? undefined : grant
}

function createConsents(provider: string, scenarios: Scenarios): Consents {
  const consents = new Map<string, ProviderConsent>()
  const isCurrent = ({ name, givenAtMs, withdrawn }: ProviderConsent) =>
    !withdrawn && !scenarios.hasEndedGrant(provider, name, givenAtMs)
  const find = (clientId: string, name: string) => {
    const consent = consents.get(`${clientId} ${name}`)
    return consent !== undefined && isCurrent(consent) ? consent : undefined
  }
  return {
    give(clientId, name) {
      const known = find(clientId, name)
      if (known !== undefined) return { consent: known, isFirst: false }
      const key = `${clientId} ${name}`
      const ended = consents.get(key)
      if (ended !== undefined) ended.withdrawn = true
      const given = { givenAtMs: simulatedClock.now(), granted: new Set<string>(), declined: new Set<string>() }
      const consent = { client_id: clientId, name, ...given, withdrawn: false }
      consents.set(key, consent)
      return { consent, isFirst: true }
    },
    find,
    isCurrent,
    list: () => [...consents.values()].filter(isCurrent),
  }
}
