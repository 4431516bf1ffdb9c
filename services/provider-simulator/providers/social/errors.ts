import { newToken } from '#runtime'
import { type ErrorFields, type ErrorFormat, SimulatedError } from '../../oauth/errors.ts'

interface Options {
  readonly type?: string
  readonly subcode?: number
}

/** An error of the Graph API, identified by its code. */
export function graphFields(code: number, description: string, { type, subcode }: Options = {}): ErrorFields {
  return { error: type ?? 'OAuthException', description, code, ...(subcode !== undefined && { subcode }) }
}

export function graphError(code: number, description: string, options?: Options): SimulatedError {
  return new SimulatedError(graphFields(code, description, options))
}

/** Errors are objects, the status is always 400, and the challenge does not have the form of RFC 9110. */
export const graphErrors: ErrorFormat = {
  body: ({ error, description, code, subcode }) => ({
    error: { message: description, type: error, code, error_subcode: subcode, fbtrace_id: newToken('A', 16) },
  }),
  malformed: () => graphFields(100, 'Invalid parameter'),
  challenge: ({ code, description }) => {
    const word = code === 190 ? 'invalid_token' : 'invalid_request'
    return `OAuth "Facebook Platform" "${word}" "${description.replace(/[^\x20-\x7e]|"/g, '?')}"`
  },
}
