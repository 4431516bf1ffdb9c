export const keys = {
  title: 'API keys',
  about:
    'Your server sends one with every call of the Web API. Two can be live at once, so that one is changed without a pause.',
  owners: 'Keys are issued and revoked by owners of the account.',
  live: 'Live keys',
  revoked: 'Revoked keys',
  ends_in: 'Ends in',
  last_hour: 'Last hour',
  not_used: 'not used',
  share: (share: string, calls: string) => `${share} of calls (${calls})`,
  callers: 'Called from, in the last hour',
  calls: (count: string) => (count === '1' ? '1 call' : `${count} calls`),
  revoked_at: 'Revoked',
  revoke: 'Revoke',
  revoke_title: (name: string) => `Revoke “${name}”?`,
  revoke_warning: 'The key is refused everywhere within a second, and for good.',
  revoke_only: 'It is the only live key: the Web API is then closed to your server.',
  revoke_in_use: 'It was used in the last hour. Whoever still calls with it is refused.',
  revoke_safe: 'It was not used in the last hour.',
  issue: 'Issue an API key',
  full: 'Two keys are live. Revoke one first.',
  name_hint: 'Where it is used, e.g. “Shop server, November”',
  issued: 'Your new API key',
  api_key: 'API key',
  issued_advice: 'Copy it into your server’s settings. Nobody, not even an operator, can show it again.',
  issued_second_advice:
    'Copy it into your server’s settings. The old key works until you revoke it; watch here when it is no longer used.',
  roll_over: 'Changing a key without a pause',
  roll_over_about: 'Once a year, and at once when a key may have been seen by others.',
  roll_over_steps: [
    'Issue a second key, and enter it in your servers’ settings.',
    'Watch the old key here until its share of the last hour’s calls is none.',
    'Revoke the old key.',
  ],
  empty: 'No live key: your server cannot call the Web API yet.',
}

export const addresses = {
  title: 'Allowed addresses',
  about: 'From which addresses your servers may call the Web API. It holds besides the key.',
  everybody: 'The list is empty: whoever has a key may call from anywhere.',
  list: 'Addresses',
  list_hint: 'One on each line: an IPv4 or IPv6 address, or a block such as 198.51.100.0/24. Empty: everybody.',
  rehearse: 'Rehearse',
  rehearse_about:
    'Shows which callers of the last seven days the list would refuse, without saving it. Saving runs the same check first.',
  your_address: 'Your address as seen here:',
  allowed: 'would be allowed',
  not_allowed: 'would be refused',
  nobody_refused: (calls: string) => `None of the ${calls} calls of the last seven days would have been refused.`,
  refused: (refused: string, calls: string) =>
    `${refused} of ${calls} calls of the last seven days would have been refused.`,
  unknown: (calls: string) =>
    `Of ${calls} more calls the address is not kept: whether they would be refused is not known.`,
  block_title: 'Block current callers?',
  block_warning: (callers: number) =>
    callers === 1
      ? 'This address called in the last seven days. The new list refuses its calls (403).'
      : `These ${callers} addresses called in the last seven days. The new list refuses their calls (403).`,
  block_do: 'Save and block',
  open_title: 'Allow every address?',
  open_warning: (block: string) => `${block} allows every ${block.includes(':') ? 'IPv6' : 'IPv4'} address.`,
  open_do: 'Save and allow',
  refused_table: 'Addresses that would have been refused',
  address: 'Address',
  calls: 'Calls',
  last_called: 'Last called',
}
