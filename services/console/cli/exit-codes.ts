/** How the command line ends, for scripts. */
export const exitCodes = {
  done: { code: 0, meaning: 'done; of `plan`: shown' },
  failed: { code: 1, meaning: 'something unforeseen, here or at the console' },
  usage: {
    code: 2,
    meaning: 'arguments, a file or an input are not as they should be; nothing was changed by that step',
  },
  not_allowed: { code: 3, meaning: 'no valid token, or one whose role does not allow this' },
  not_found: { code: 4, meaning: 'there is no such thing' },
  conflict: {
    code: 5,
    meaning: 'not possible as things are, or somebody else changed it meanwhile: look again, or plan again',
  },
  unavailable: { code: 6, meaning: 'the console or a part of it is away, or asked too often: try again later' },
  differs: { code: 10, meaning: '`diff` or `plan --exit-code` found a difference' },
} as const satisfies Record<string, { readonly code: number; readonly meaning: string }>

export type ExitName = keyof typeof exitCodes
