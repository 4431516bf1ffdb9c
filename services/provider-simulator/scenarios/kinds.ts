/** What a kind of scenario is about; the page and the documentation have a section for each. */
export const subjects = {
  person: 'The person',
  token: 'What the provider says of the person',
  server: 'The servers of a provider (without a name)',
} as const

/**
 * What can be started. `person` and `token` apply to an end user, a provider, or one end user at one provider; `server` applies
 * to the endpoints for servers of one provider, so that a login in the browser gets that far.
 */
interface Kind {
  readonly subject: keyof typeof subjects
  readonly title: string
  /** A sentence or two for people to read. */
  readonly effect: string
  /** For a kind with a duration: the usual one and its bounds. */
  readonly seconds?: { readonly usual: number; readonly least: number; readonly most: number }
}

/** All kinds of scenario: the page, the JSON interface, its validation and docs/sandbox.md derive from this table. */
export const scenarioKinds = {
  refuse: {
    subject: 'person',
    title: 'Says no',
    effect:
      'The answer to the application is a denial, also after Allow. For a whole provider no page is shown at all.',
  },
  no_email: {
    subject: 'person',
    title: 'Has no e-mail address',
    effect: 'The provider tells none, although it was asked and the person allowed it.',
  },
  unverified_email: {
    subject: 'person',
    title: 'Has an unverified e-mail address',
    effect:
      'The provider says that the address is not verified; one that never says so stays silent, and one that tells verified addresses alone tells none.',
  },
  revoked: {
    subject: 'person',
    title: 'Has withdrawn consent',
    effect:
      'Tokens handed out until the moment it is chosen do not work: data and refreshes are refused in the provider’s own way. A new login works.',
  },
  short_access_tokens: {
    subject: 'person',
    title: 'Gets access tokens that soon expire',
    effect: 'They end after so many seconds, and expires_in says so. With 0 they are dead when they arrive.',
    seconds: { usual: 30, least: 0, most: 3_600 },
  },
  account_deleted: {
    subject: 'person',
    title: 'Has deleted the account',
    effect: 'Nobody can sign in by the name, and tokens handed out before do not work.',
  },
  unsigned_token: {
    subject: 'token',
    title: 'ID Token without a signature',
    effect: 'Its algorithm is none.',
  },
  wrong_signature: {
    subject: 'token',
    title: 'ID Token with a wrong signature',
    effect: 'It is signed with a key that is not the provider’s, under the name of the right one.',
  },
  key_confusion: {
    subject: 'token',
    title: 'ID Token with a confused key',
    effect:
      'It is signed with HS256, and the secret is the text of the provider’s public key. Where HS256 is usual: with RS256 and a key of nobody.',
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
    title: 'ID Token about somebody else',
    effect: 'Its sub is not the one of userinfo.',
  },
  expired_id_token: {
    subject: 'token',
    title: 'ID Token of yesterday',
    effect: 'It expired a day ago.',
  },
  wrong_userinfo: {
    subject: 'token',
    title: 'Userinfo about somebody else',
    effect: 'Its sub is not the one of the ID Token.',
  },
  slow: {
    subject: 'server',
    title: 'Are slow',
    effect: 'Every answer comes so many seconds late.',
    seconds: { usual: 10, least: 0.1, most: 120 },
  },
  unavailable: {
    subject: 'server',
    title: 'Are not available',
    effect: 'Every answer is 503.',
  },
  hang_up: {
    subject: 'server',
    title: 'Hang up',
    effect: 'The connection is closed without an answer.',
  },
  rate_limited: {
    subject: 'server',
    title: 'Want fewer requests',
    effect: 'Every answer is 429 with Retry-After.',
  },
  html_error: {
    subject: 'server',
    title: 'Answer with a page',
    effect: 'Every answer is 200 and a page in HTML, where JSON is promised.',
  },
  wrong_discovery: {
    subject: 'server',
    title: 'Publish a wrong discovery document',
    effect: 'Its issuer is https://issuer.invalid; all else is as ever.',
  },
} as const satisfies Record<string, Kind>

export type ScenarioName = keyof typeof scenarioKinds

export function kindOf(name: ScenarioName): Kind {
  return scenarioKinds[name]
}

/** In the order of the table. */
export const scenarioNames = Object.keys(scenarioKinds) as ScenarioName[] // The keys of the table and no others.
