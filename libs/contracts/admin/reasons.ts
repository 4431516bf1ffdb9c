/**
 * Why something is refused, by stable names, with the sentence for people; `{…}` are its parameters. Pages say the same in
 * other languages by the name. Those of a field go on from the field's name.
 */
export const adminReasons = {
  // What somebody may not.
  operators_alone: 'Only operators may do this.',
  for_members_alone: 'This is for members, not for tokens.',
  role_too_small: 'Your role in this account is {has}; this needs {needs}.',
  contracted: 'The limit and the fixed-address option are changed by operators.',

  // What is not possible as things are.
  no_account: 'There is no account {account}.',
  account_exists: 'There is an account of this name.',
  site_exists: 'The account has a site of this site_id.',
  two_keys_live: 'Two keys are live. Revoke one first.',
  two_secrets_live: 'Two secrets are live. Revoke one first.',
  only_secret: 'It is the only one. Issue another first.',
  public_without_secret: 'A public client has no secret.',
  not_linked: 'The user has no account of this provider.',
  last_provider: 'It is the last provider, and the user could not log in any more.',
  same_user: 'A user is not merged into itself.',
  shared_provider: 'Both have an account of one provider; unlink one of them first.',
  settings_incomplete: 'The settings are not complete, or not in use.',
  export_under_way: 'An export of this site is under way. Wait until it is ready.',
  no_export_file: 'There is no such file, or its time is over. Request the export again.',
  request_unknown:
    'No request of this site is known by this id. Refused requests are kept for {days} days, of the others a share; one that was just sent appears within seconds.',
  outlives_token: 'A token cannot issue a token that expires after it. It expires at {until}.',
  last_owner: 'The account would be without an owner. Make somebody else an owner first.',
  last_operator: 'There would be no operator any more. Invite another one first.',
  last_way_in: 'It is your only way to sign in. Add another passkey first.',

  // At sign-in.
  link_over: 'This link was used or withdrawn, or is older than a day. Ask for another one.',
  link_again: 'Open the link again.',
  link_of_operator: 'This link is for a passkey of an operator. Open it where you are signed out.',
  member_already: 'You are a member already. Sign in, then open the link again.',
  in_account_already: 'You are a member of this account already.',
  passkey_unknown: 'This passkey is not known here. Choose another one.',
  passkey_known: 'This passkey is known already.',
  passkey_late: 'This took too long, or was answered already. Try it again.',
  passkey_refused: 'The passkey was not accepted. Try it again.',
  no_provider: 'No OpenID provider is set up for members. Sign in by passkey.',
  provider_away: '{provider} does not answer. Try it again later.',
  provider_refused: '{provider} did not sign you in. Try it again.',

  // What is wrong with a field.
  missing: 'is missing',
  unknown_field: 'is not known here',
  twice: 'is given more than once',
  another_in_address: 'is another one in the address',
  no_text: 'must be a text',
  no_number: 'must be a number',
  no_whole_number: 'must be a whole number',
  no_boolean: 'must be true or false',
  no_list: 'must be a list',
  no_object: 'must be an object',
  other_value: 'must be {value}',
  other_values: 'must be one of {values}',
  empty: 'must not be empty',
  too_short: 'must have at least {count} characters',
  too_long: 'must have at most {count} characters',
  too_few: 'must have at least {count} entries',
  too_many: 'must have at most {count} entries',
  too_small: 'must be at least {count}',
  too_large: 'must be at most {count}',
  no_host_name: 'must be a host name such as www.example.com',
  no_uuid: 'must be a UUID such as 0190e0a5-7c1c-7f3e-9c53-9f4b8a1d2c3e',
  no_slug: 'must be lower-case letters, digits and hyphens, at most 31, with a letter or digit first and last',
  no_identifier: 'must be an identifier as users have it, e.g. 6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0',
  no_time: 'must be a time in UTC such as 2030-01-31T00:00:00Z',
  no_period: 'must be a whole number and s, m, h or d',
  other_form: 'must be of another form',
  no_storable_text: 'must have no NUL and no unpaired surrogate',
  other_name: 'may not be called so',
  page_beside_after: 'cannot be combined with after',
  no_form: 'has none of the forms it may have',

  // Of allowed addresses.
  no_address: 'is neither an IP address nor a CIDR block',
  no_block: 'is no block, as it has bits beyond its prefix; the block is {block}',

  callers_blocked:
    '{count} addresses that called in the last seven days would be blocked (403): {addresses}. Add them to the list, or set confirm to block_callers.',
  everybody_allowed:
    '{block} allows every {family} address. List the addresses of your servers, or set confirm to allow_everybody.',

  // Of callback addresses and clients.
  outside_ascii: 'must contain only printable ASCII characters without spaces',
  has_fragment: 'must not contain a fragment',
  has_backslash: 'must not contain a backslash',
  has_wildcard: 'must not contain a wildcard',
  not_absolute: 'must be an absolute URI',
  has_user_name: 'must not contain a user name or password',
  other_spelling: 'must be written as browsers send it: {spelling}',
  two_slashes: 'must not have a path that begins with two slashes',
  our_parameter: 'must not have the parameter {parameter}, which our responses add',
  https_or_here: 'must use https: http is allowed for localhost only',
  https_or_public: 'must use https: custom schemes are allowed for public clients only',
  no_https: 'must use https',
  https_at_production: 'must use https because the site is a production site',
  outside_domains: 'must have a host that is a domain of the site or a subdomain of one: {domains}',
  pkce_needed: 'must not be optional for a public client, because only PKCE protects its codes',

  // Of sites with registered callback addresses.
  callback_not_https:
    'cannot be production: the client {client} has the callback address {address}, which is not https',
  callback_outside_domains: 'must include the host of the callback address {address} of the client {client}',

  // Of settings of login providers.
  needed: 'is required',
  needed_at_first: 'is required for new settings',
  no_option: 'is not an option of this provider',
  no_private_key: 'must be the private key as downloaded from the provider',
  messaging_alone: 'is supported for the messaging provider only',
  unknown_permissions: 'names unknown permissions',
  no_ten_characters: 'must be 10 capital letters and digits',
} as const

export type AdminReasonName = keyof typeof adminReasons

type ParametersIn<S extends string> = S extends `${string}{${infer P}}${infer Rest}` ? P | ParametersIn<Rest> : never

/** What a reason's sentence is filled with. */
export type ReasonParameters<N extends AdminReasonName> = Readonly<
  Record<ParametersIn<(typeof adminReasons)[N]>, string>
>

/** A reason with its parameters. */
export type AdminReason = {
  [N in AdminReasonName]: { readonly name: N; readonly parameters: ReasonParameters<N> }
}[AdminReasonName]

/** E.g. `because('role_too_small', { has: 'viewer', needs: 'owner' })`. */
export function because<N extends AdminReasonName>(
  name: N,
  ...given: ParametersIn<(typeof adminReasons)[N]> extends never ? [] : [ReasonParameters<N>]
): AdminReason {
  // Name and parameters fit each other; TypeScript does not distribute over N.
  return { name, parameters: given[0] ?? {} } as AdminReason
}

/** The reason as a sentence, or as what goes on from a field's name. */
export function sentenceOf({ name, parameters }: AdminReason): string {
  const values = new Map(Object.entries(parameters))
  return adminReasons[name].replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values.get(parameter) ?? '')
}

/** Those with parameters that are told as sentences. */
const toldWithParameters = [
  'no_block',
  'other_spelling',
  'our_parameter',
  'outside_domains',
  'callback_not_https',
  'callback_outside_domains',
] as const
const patterns = toldWithParameters.map((name) => {
  const text = adminReasons[name].replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')
  return { name, pattern: new RegExp(`^${text}$`) }
})
const names = new Map<string, string>(Object.entries(adminReasons).map(([name, sentence]) => [sentence, name]))

/** The reason that says this, of a schema or a service that tells reasons as sentences; undefined when none does. */
export function reasonSaying(sentence: string): AdminReason | undefined {
  const name = names.get(sentence)
  // It comes from the names themselves, and a sentence without a place for parameters has none.
  if (name !== undefined) return { name, parameters: {} } as AdminReason
  for (const { name: told, pattern } of patterns) {
    const groups = pattern.exec(sentence)?.groups
    // The pattern's groups are the parameters of the name.
    if (groups !== undefined) return { name: told, parameters: { ...groups } } as AdminReason
  }
  return undefined
}
