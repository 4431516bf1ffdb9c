/** What a scenario affects; the page and the documentation have a section for each. */
export const subjects = {
  user: 'The user',
  token: 'The provider’s data about the user',
  server: 'The servers of a provider (without a name)',
} as const

/**
 * A kind of scenario. `user` and `token` apply to a user, a provider, or one user at one provider. `server` applies to
 * the endpoints of a provider that servers call, so that the browser part of a login still works.
 */
interface ScenarioKind {
  readonly subject: keyof typeof subjects
  readonly title: string
  /** One or two sentences for the page. */
  readonly effect: string
  /** For scenarios with seconds: the default and its bounds. */
  readonly seconds?: { readonly usual: number; readonly least: number; readonly most: number }
}

/** All kinds of scenarios. The page, the JSON API, its validation and docs/use/sandbox.md derive from this table. */
export const scenarioKinds = {
  deny: {
    subject: 'user',
    title: 'Denies the login',
    effect: 'The application receives a denial, even after Allow. For a whole provider, the sign-in page is skipped.',
  },
  no_email: {
    subject: 'user',
    title: 'Has no e-mail address',
    effect: 'The provider sends no e-mail address, although the application requested it and the user consented.',
  },
  unverified_email: {
    subject: 'user',
    title: 'Has an unverified e-mail address',
    effect:
      'The provider marks the address as not verified. Providers without such a mark send the address as usual; providers that send only verified addresses send none.',
  },
  revoked: {
    subject: 'user',
    title: 'Has withdrawn consent',
    effect:
      'Tokens issued before the scenario started are invalid: the provider rejects them with its own errors. A new login works.',
  },
  short_access_tokens: {
    subject: 'user',
    title: 'Gets short-lived access tokens',
    effect: 'Access tokens expire after this many seconds, as expires_in says. With 0 they are already expired.',
    seconds: { usual: 30, least: 0, most: 3_600 },
  },
  account_deleted: {
    subject: 'user',
    title: 'Has deleted their account',
    effect: 'Signing in with this name fails, and tokens issued before are invalid.',
  },
  unsigned_token: {
    subject: 'token',
    title: 'ID Token without a signature',
    effect: 'The algorithm is none.',
  },
  wrong_signature: {
    subject: 'token',
    title: 'ID Token with a wrong signature',
    effect: 'It is signed with a key that is not the provider’s, but has the provider’s kid.',
  },
  key_confusion: {
    subject: 'token',
    title: 'ID Token with key confusion',
    effect:
      'It is signed with HS256, and the secret is the provider’s public key as PEM. For providers that use HS256: with RS256 and an unknown key.',
  },
  wrong_issuer: {
    subject: 'token',
    title: 'ID Token of another issuer',
    effect: 'Its iss is https://issuer.invalid.',
  },
  wrong_audience: {
    subject: 'token',
    title: 'ID Token for another application',
    effect: 'Its aud is another-application.',
  },
  wrong_nonce: {
    subject: 'token',
    title: 'ID Token of another login',
    effect: 'Its nonce is not the one that was sent.',
  },
  wrong_subject: {
    subject: 'token',
    title: 'ID Token of another user',
    effect: 'Its sub differs from userinfo.',
  },
  expired_id_token: {
    subject: 'token',
    title: 'Expired ID Token',
    effect: 'It expired a day ago.',
  },
  wrong_userinfo: {
    subject: 'token',
    title: 'Userinfo of another user',
    effect: 'Its sub differs from the ID Token.',
  },
  slow: {
    subject: 'server',
    title: 'Are slow',
    effect: 'Every response is delayed by this many seconds.',
    seconds: { usual: 10, least: 0.1, most: 120 },
  },
  unavailable: {
    subject: 'server',
    title: 'Are unavailable',
    effect: 'Every response is 503.',
  },
  hang_up: {
    subject: 'server',
    title: 'Close connections',
    effect: 'The connection is closed without a response.',
  },
  rate_limited: {
    subject: 'server',
    title: 'Limit the request rate',
    effect: 'Every response is 429 with Retry-After.',
  },
  html_error: {
    subject: 'server',
    title: 'Respond with an HTML page',
    effect: 'Every response is 200 with an HTML page instead of JSON.',
  },
  wrong_discovery: {
    subject: 'server',
    title: 'Publish a wrong discovery document',
    effect: 'Its issuer is https://issuer.invalid; everything else is correct.',
  },
} as const satisfies Record<string, ScenarioKind>

export type ScenarioName = keyof typeof scenarioKinds

export function getScenarioKind(name: ScenarioName): ScenarioKind {
  return scenarioKinds[name]
}

/** In the order of the table. */
export const scenarioNames = Object.keys(scenarioKinds) as ScenarioName[] // The keys of the table and no others.
