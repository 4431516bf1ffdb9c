/**
 * Why the Admin API rejects a request: stable names, each with its message; `{…}` are parameters. The console translates a reason by
 * its name. The message of a reason about a field continues after the field's name.
 */
export const adminReasons = {
  // Permissions.
  operators_only: 'Only operators can do this.',
  members_only: 'Tokens cannot do this. Sign in to the console as a member.',
  insufficient_role: 'Your role in this account is {has}, but this requires {needs}. Ask an owner of the account.',
  site_roles_only:
    'You have roles only in single sites of this account, but this concerns the whole account. Ask an owner of the account.',
  account_provider_required:
    'Members of {account} must sign in at its own OpenID provider. Sign in with your e-mail address.',
  operator_only_field: 'Only operators can change the limit and the fixed-address option.',

  // Conflicts with stored data.
  account_not_found: 'The account {account} does not exist.',
  account_exists: 'An account with this name exists already. Choose another name.',
  site_exists: 'The account has a site with this site_id already. Choose another site_id.',
  deletion_pending: 'A deletion of this site was requested already. Approve or cancel it.',
  deletion_approved: 'The deletion of this site is approved. It cannot be canceled any more.',
  deletion_canceled: 'The deletion was canceled. Request it again.',
  deletion_expired: 'The deletion was not approved in time. Request it again.',
  deletion_own_request:
    'You requested this deletion. Another owner of the account must approve it, or an operator if there is no other owner.',
  deletion_needs_owner: 'The account has another owner, who must approve the deletion.',
  deletion_requester_removed: 'The requester is no owner any more. Cancel it, and request it again.',
  deletion_role_missing: 'You are no owner of this account or site any more.',
  deletion_token_without_member: 'No member answers for this token. Use a token that a member issued, or the console.',
  move_running: 'The site moves already. Wait until the move has ended, or roll it back.',
  move_not_switched: 'The other cell does not serve the site yet. Wait until the state of the move is forwarding.',
  move_not_reversible:
    'The move cannot be rolled back in this state. If the cells are switching, try again in a minute.',
  move_target_has_site: 'The other cell has, or had, a site with this account and site_id. Choose another cell.',
  move_target_unreachable:
    'is not the address of a console that accepts the token. Check the address, and issue an operator token there',
  move_token_not_accepted: 'is not accepted by the other cell, or it is unreachable. Issue an operator token there',
  move_ended: 'The move has ended, so it needs no token.',
  move_step_unavailable: 'A service or the other cell is unavailable.',
  move_step_failed: 'The step failed. The log of the console has the reason.',
  move_value_taken: 'The other cell has a site or a key with the same value. Remove it there, or roll the move back.',
  move_token_rejected:
    'The other cell does not accept the token of the move any more. Issue another one there, and replace it in the move.',
  move_tables_distributed:
    'A database of this cell or of the other one is distributed by site. Sites move only between cells without distributed databases.',
  move_target_insecure: 'must be https, or at localhost',
  move_other_release: 'is not known here. Run the same release in both cells',
  deletion_not_confirmed: 'must be the ID of the site that is deleted',
  two_keys_active: 'The site has two active keys. Revoke one first.',
  api_key_known: 'This key is known already. Issue a new one.',
  client_id_known: 'A client with this client ID exists already.',
  two_secrets_active: 'The client has two active secrets. Revoke one first.',
  last_secret: 'This is the only active secret. Issue another one first.',
  secret_missing: 'A confidential client needs its client_secret.',
  public_client_without_secret: 'Public clients have no secret.',
  not_linked: 'The user has no linked account of this provider.',
  last_provider: 'This is the last provider of the user, who could not log in afterwards.',
  metadata_too_large: 'Both parts of the metadata together have at most 8192 bytes of JSON. Remove some of it.',
  same_user: 'A user cannot be merged with itself. Choose another user.',
  shared_provider: 'Both users have an account of the same provider. Unlink one of them first.',
  host_of_another_site: 'Another site has this host, one of its parents, or one below it.',
  provider_in_use:
    'Users have logged in with this provider, or it is built in, so its settings cannot be removed. Disable it instead.',
  settings_incomplete: 'The provider settings are incomplete or disabled. Complete and enable them first.',
  ndjson_only: 'is supported for the format ndjson only',
  csv_only: 'is supported for the format csv only',
  columns_instead: 'cannot be combined with columns, which say what the file contains',
  no_metadata_path:
    'has the path {path}, by which users of this site cannot be filtered; add it to the paths of the site',
  no_provider_of_column: 'has the column {column}, but the site has no login provider of this name',
  too_many_bulk_changes: 'The site has 20 bulk changes that have not ended. Wait, or cancel one of them.',
  export_in_progress: 'An export of this site is in progress. Wait until it is ready.',
  export_file_not_found: 'The file does not exist or has expired. Request the export again.',
  import_not_running: 'The import has ended. Start a new one.',
  import_batch_differs:
    'This batch was sent before with other records. Continue with the same file, or start a new import.',
  request_not_found:
    'The site has no request with this ID. Rejected requests are stored for {days} days, of the other requests only a sample. New requests appear within seconds.',
  login_not_found:
    'The log of logins of the site has no login with this ID. Logins are stored for some days, and new ones appear within seconds.',
  expires_after_issuing_token:
    'The new token would expire after the token that issues it, which expires at {until}. Choose a shorter lifetime.',
  role_missing: 'The member would have no role. Choose a role in the account or in a site.',
  site_not_found: 'The account has no site {site_id}.',
  last_owner: 'The account would have no owner. Make another member an owner first.',
  last_operator: 'There would be no operator left. Invite another operator first.',
  last_sign_in_method: 'This is your only way to sign in. Add another passkey first.',

  // Sign-in.
  link_invalid: 'This link was used or withdrawn, or it has expired after a day. Ask for a new link.',
  link_changed: 'The member of this link has changed. Open the link again.',
  operator_link: 'This link adds a passkey for an operator. Sign out, then open it again.',
  already_a_member: 'You are a member already. Sign in, then open the link again.',
  already_in_account: 'You are a member of this account already.',
  passkey_unknown: 'The console does not know this passkey. Choose another one.',
  passkey_exists: 'This passkey is registered already.',
  passkey_timeout: 'The request for your passkey expired or was used already. Try again.',
  passkey_rejected: 'The passkey could not be verified. Try again.',
  sign_in_provider_missing: 'No OpenID provider is configured for members. Sign in with a passkey.',
  sign_in_provider_unavailable: '{provider} is not reachable. Try again later.',
  sign_in_provider_rejected: '{provider} did not sign you in. Try again.',

  // Sign-in at the provider of an account. A company's administrator changes what the provider sends.
  sign_in_settings_changed: 'The settings of the provider changed in the meantime. Start again.',
  sign_in_email_missing:
    '{provider} sent no e-mail address. Your administrator must let it send the claim email to this console.',
  sign_in_email_unverified:
    '{provider} does not state that your e-mail address is verified (email_verified). Your administrator must turn that on, or an owner must set that its addresses are trusted.',
  sign_in_domain_differs:
    'Your e-mail address is in {domain}, which is not a proven domain of this account. An owner can add it.',
  sign_in_hosted_domain:
    'Your Google account does not belong to the Google Workspace of this account (hd). Choose the account of your company.',
  sign_in_claim_missing:
    '{provider} sent no claim {claim}, which gives roles: you are in none of its groups, or your administrator must add the claim to the ID Token or to userinfo.',
  sign_in_claim_type:
    'The claim {claim} of {provider} must be a text or a list of texts. Your administrator must change it.',
  sign_in_groups_overage:
    'You are in too many groups for the ID Token of {provider}. Your administrator must limit the claim {claim} to groups that are assigned to the application, or use app roles.',
  sign_in_role_missing:
    'None of your values of the claim {claim} at {provider} gives a role here. Your administrator must assign you to a group or role that does.',
  sign_in_default_role_missing:
    '{provider} knows you, but new members get no role here. An owner must set a default role.',
  managed_member: 'The OpenID Provider of {account} manages this member, so this is not possible. Change it there.',
  roles_by_claim: 'The OpenID Provider of the account gives roles by claim. Change the groups of the member there.',
  account_invitations_off:
    'Members of this account can sign in only at its OpenID Provider, so links do not work. Sign in with your e-mail address.',

  // Settings of the provider of an account.
  issuer_unreachable:
    'must have a discovery document at /.well-known/openid-configuration, which states exactly this issuer',
  issuer_of_all_tenants: 'must be that of one tenant, not of all: any organization could sign in',
  issuer_not_public: 'must start with https:// and have a public address',
  new_client_secret:
    'must be given with another issuer or client ID, because the stored one belongs to the earlier one',
  no_owner_by_provider:
    'No owner has signed in at this provider yet, so no one could manage the account. Sign in at the provider as an owner first.',
  too_many_domains: 'cannot be added: an account has at most {count}',
  domain_of_another_account: 'Another account has proven this domain. Ask the operator.',
  txt_record_missing: 'The TXT record {record} does not exist yet. DNS changes can take some hours.',
  txt_record_different: 'The TXT record {record} has another value.',
  dns_unavailable: 'The DNS servers of the domain did not respond. Try again.',
  last_domain: 'This is the last proven domain, and members can sign in only at the provider. Lift that first.',

  // Fields.
  missing: 'is missing',
  other_action: 'belongs to another action',
  filter_with_identifiers: 'cannot be combined with identifiers',
  not_in_the_future: 'must be in the future',
  unknown_field: 'is not a known field',
  repeated: 'is given more than once',
  differs_from_path: 'differs from the value in the path',
  not_a_string: 'must be a string',
  not_a_number: 'must be a number',
  not_an_integer: 'must be a whole number',
  not_a_boolean: 'must be true or false',
  not_a_list: 'must be a list',
  not_an_object: 'must be an object',
  wrong_value: 'must be {value}',
  value_not_allowed: 'must be one of {values}',
  empty: 'must not be empty',
  too_short: 'must have at least {count} characters',
  too_long: 'must have at most {count} characters',
  too_few: 'must have at least {count} entries',
  too_many: 'must have at most {count} entries',
  too_small: 'must be at least {count}',
  too_large: 'must be at most {count}',
  not_a_host_name: 'must be a host name such as www.example.com',
  not_a_uuid: 'must be a UUID such as 0190e0a5-7c1c-7f3e-9c53-9f4b8a1d2c3e',
  not_a_slug: 'must be lower-case letters, digits and hyphens, at most 31, with a letter or digit first and last',
  not_an_identifier: 'must be an identifier as users have it, e.g. 6a1f3c21d2707c4f5e6b18a903fd27c5be4419d0',
  not_a_timestamp: 'must be a time in UTC such as 2030-01-31T00:00:00Z',
  not_a_period: 'must be a whole number and s, m, h or d',
  not_a_document_name: 'must be lower-case letters, digits and underscores, at most 31, with a letter first',
  https_address: 'must be an address that begins with https://',
  document_twice: 'must not have two documents of one name',
  later_than_version: 'must not be later than version',
  languages_of_document: 'must have 1 to {count} languages',
  wrong_format: 'does not have the required format',
  not_storable: 'must have no NUL and no unpaired surrogate',
  schema_unusable: 'cannot be used at {place}: {problem}',
  schema_rule: 'breaks the rule {rule} of the schema at {place}',
  metadata_invalid: 'The metadata does not match the schema of the site.',
  number_beyond_exact: 'must have no whole numbers beyond ±9007199254740991: send them as strings',
  too_many_levels: 'must have at most 8 levels of objects and arrays',
  has_proto: 'must have no member named __proto__',
  name_not_allowed: 'is not an allowed name',
  page_with_conditions: 'works only in the default order, without the conditions of bulk changes; use after',
  page_with_after: 'cannot be combined with after',
  not_a_next: 'must be next of the previous page',
  no_matching_format: 'does not have any of the allowed formats',

  // Records of imports.
  not_a_record: 'is not a line of JSON',
  provider_unknown: 'is not a login provider of this site',
  record_too_long: 'is too long',
  not_a_user_of: 'is not a user of {system}',
  user_is_blocked: 'The user is blocked in the other system. Choose to import blocked users, or leave them out.',
  account_omitted: 'The account of {provider} would be omitted, because no provider is chosen for it.',
  not_json: 'must be JSON',
  not_as_expected: 'is not as expected: {problem}',
  not_a_flag: 'must be true, yes, y or enabled, or else false, no, n or disabled',
  shortened_by_spreadsheet: 'was shortened by a spreadsheet; format the column as text, and export again',
  too_many_values: 'has {count} more values than the header has columns',
  profile_without_account: 'needs an account of a login provider in the same row',
  before_1970: 'must not be before 1970',
  linked_twice: 'must not be linked twice: a user has one account of each provider',
  provider_without_login: 'must not be given without last_logged_in_at',
  in_the_future: 'must not be in the future',
  user_exists: 'A user with the identifier, the primary_key or an account exists.',
  matches_several_users: 'The identifier, primary_key and accounts belong to different users. Merge them first.',
  account_of_provider_linked: 'The existing user has another account of a provider.',
  primary_key_differs: 'The existing user has another primary_key.',

  // Files of imports.
  file_encoding: 'The file is neither UTF-8, UTF-16 nor Shift_JIS. Save it as UTF-8.',
  file_not_json: 'The file is not JSON after value {count}: {problem}',
  file_of_other_format: 'The file looks like one of {recognized}, not of {format}.',
  file_without_users: 'Nothing in the file looks like a user of {system}.',
  file_of_several_realms: 'The file has the realms {realms}. Choose one of them.',
  file_unknown_columns:
    'Unknown columns: {columns}. Rename or remove them; known are {known}, IDs of accounts such as search_id, and those of a profile such as full_name and email.',

  // Allowed addresses.
  not_an_address: 'is neither an IP address nor a CIDR block',
  not_a_block: 'is no block, as it has bits beyond its prefix; the block is {block}',

  callers_blocked:
    '{count} addresses that called in the last seven days would be blocked (403): {addresses}. Add them to the list, or set confirm to block_callers.',
  all_addresses_allowed:
    '{block} allows every {family} address. List the addresses of your servers, or set confirm to allow_all_addresses.',

  // Callback addresses and clients. The services send these messages.
  outside_ascii: 'must contain only printable ASCII characters without spaces',
  has_fragment: 'must not contain a fragment',
  has_backslash: 'must not contain a backslash',
  has_wildcard: 'must not contain a wildcard',
  not_absolute: 'must be an absolute URI',
  has_user_name: 'must not contain a user name or password',
  not_normalized: 'must be written as browsers send it: {spelling}',
  two_slashes: 'must not have a path that begins with two slashes',
  reserved_parameter: 'must not have the parameter {parameter}, which our responses add',
  https_or_localhost: 'must use https: http is allowed for localhost only',
  https_or_public_client: 'must use https: custom schemes are allowed for public clients only',
  not_https: 'must use https',
  https_in_production: 'must use https because the site is a production site',
  outside_domains: 'must have a host that is a domain of the site or a subdomain of one: {domains}',
  pkce_required: 'must not be optional for a public client, because only PKCE protects its codes',

  // Sites with registered callback addresses.
  callback_not_https:
    'cannot be production: the client {client} has the callback address {address}, which is not https',
  callback_outside_domains: 'must include the host of the callback address {address} of the client {client}',

  // Webhooks. The services send the messages about fields.
  public_https: 'must start with https:// and have a public address',
  too_many_endpoints: 'cannot be added: a site has at most {count} endpoints',
  events_deleted:
    'Events after this position are deleted, or the stream was restored from a backup. Start without after.',
  one_replay_selection: 'Send either event_ids, recorded_since with recorded_until, or failed.',

  // Notices.
  one_notice_address: 'Send either email_address or chat_url.',
  email_not_available:
    'The service cannot send e-mail: the operator must set SMTP_URL and SMTP_FROM of the console. Until then, use the URL of a chat.',
  too_many_channels: 'The account has {count} channels for notices already. Remove one first.',
  channel_exists: 'The account has a channel for notices of this name. Choose another name.',
  channel_not_confirmed: 'The address is not confirmed yet. Open the link in the e-mail, or send it again.',
  channel_confirmed: 'The address is confirmed already.',
  too_many_links: 'The account has requested {count} links to confirm addresses in 24 hours. Try again tomorrow.',
  confirmation_sent_recently: 'The link was sent less than a minute ago. Look into the mailbox, also for spam.',
  confirmation_link_invalid:
    'This link was used, or it has expired after seven days, or a newer one was sent. Ask for a new link.',
  not_an_email: 'must be an e-mail address such as team@example.com',
  not_a_time_zone: 'must be a time zone such as Asia/Tokyo',
  not_a_time_of_day: 'must be a time of day such as 22:00',
  not_a_chat_url: 'must be an https URL without user name, password and fragment',
  quiet_hours_incomplete: 'must be set together with the other end of the quiet hours, and differ from it',
  chat_only: 'is supported for chats only',
  site_unknown: 'names {site}, which is not a site of the account',
  // Streams of the audit trail.
  stream_exists: 'There is a stream of this name already. Choose another name.',
  too_many_streams: 'cannot be added: there are at most {count} streams',
  field_of_another_kind: 'is not a field of a stream of the kind {kind}',
  public_host: 'must have a public address',
  invalid_certificate: 'must be a certificate in PEM',
  key_of_certificate: 'must be the private key of the certificate, in PEM; send both, or neither',
  headers_of_new_url: 'must be sent again, because the URL has another host',
  one_beginning: 'cannot be combined with from_time: send one of them',
  stream_without_secret: 'Only webhooks have a secret that can be replaced.',

  // Settings of login providers.
  required: 'is required',
  required_initially: 'is required for new settings',
  unknown_option: 'is not an option of this provider',
  not_a_private_key: 'must be the private key as downloaded from the provider',
  messaging_only: 'is supported for the messaging provider only',
  unknown_permissions: 'names unknown permissions',
  not_ten_characters: 'must be 10 capital letters and digits',
} as const

export type AdminReasonName = keyof typeof adminReasons

type ParametersIn<S extends string> = S extends `${string}{${infer P}}${infer Rest}` ? P | ParametersIn<Rest> : never

/** The values of the placeholders in a reason's message. */
export type ReasonParameters<N extends AdminReasonName> = Readonly<
  Record<ParametersIn<(typeof adminReasons)[N]>, string>
>

/** A reason with its parameters. */
export type AdminReason = {
  [N in AdminReasonName]: { readonly name: N; readonly parameters: ReasonParameters<N> }
}[AdminReasonName]

/** E.g. `because('insufficient_role', { has: 'viewer', needs: 'owner' })`. */
export function createReason<N extends AdminReasonName>(
  name: N,
  ...parameters: ParametersIn<(typeof adminReasons)[N]> extends never ? [] : [ReasonParameters<N>]
): AdminReason {
  // The signature requires the parameters of the name; TypeScript does not distribute over N.
  return { name, parameters: parameters[0] ?? {} } as AdminReason
}

/** Returns the message with its parameters filled in. */
export function formatReason({ name, parameters }: AdminReason): string {
  const values = new Map(Object.entries(parameters))
  return adminReasons[name].replaceAll(/\{(\w+)\}/g, (_, parameter: string) => values.get(parameter) ?? '')
}

/** Reasons with parameters that services send as messages. */
const parsedReasons = [
  'not_a_block',
  'not_normalized',
  'reserved_parameter',
  'outside_domains',
  'callback_not_https',
  'callback_outside_domains',
  'schema_unusable',
  'schema_rule',
  'languages_of_document',
] as const
const patterns = parsedReasons.map((name) => {
  const text = adminReasons[name].replaceAll(/\{(\w+)\}/g, '(?<$1>.+)')
  return { name, pattern: new RegExp(`^${text}$`) }
})
const names = new Map<string, string>(Object.entries(adminReasons).map(([name, sentence]) => [sentence, name]))

/** Finds the reason of a message that a schema or another service wrote; undefined if no reason has this message. */
export function findReasonByMessage(sentence: string): AdminReason | undefined {
  const name = names.get(sentence)
  // The map's values are the names, and a message without placeholders has no parameters.
  if (name !== undefined) return { name, parameters: {} } as AdminReason
  for (const { name: parsedName, pattern } of patterns) {
    const groups = pattern.exec(sentence)?.groups
    // The pattern's groups are the parameters of the reason.
    if (groups !== undefined) return { name: parsedName, parameters: { ...groups } } as AdminReason
  }
  return undefined
}
