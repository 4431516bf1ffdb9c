/** Exit codes of the command line. */
export const exitCodes = {
  done: { code: 0, meaning: 'success' },
  failed: { code: 1, meaning: 'unexpected error of the command line or the console' },
  usage: {
    code: 2,
    meaning: 'invalid arguments, file or input; this step changed nothing',
  },
  not_allowed: { code: 3, meaning: 'no valid token, or its role does not allow this' },
  not_found: { code: 4, meaning: 'not found' },
  conflict: {
    code: 5,
    meaning: 'conflict with the stored data, or someone else made a change: read it again, or plan again',
  },
  unavailable: { code: 6, meaning: 'the console is unavailable or received too many requests: try again later' },
  differs: {
    code: 10,
    meaning:
      '`diff`, `plan --exit-code` or `compare` found a difference, `users import` rejected lines, or `verify-receipt` found a receipt that is not genuine',
  },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>

export type ExitName = keyof typeof exitCodes
