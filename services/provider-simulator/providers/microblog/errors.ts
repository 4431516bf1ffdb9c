import { type ErrorFields, type ErrorFormat, SimulatedError } from '../../oauth/errors.ts'

const errors = {
  could_not_authenticate: { status: 401, code: 32, description: 'Could not authenticate you.' },
  token_is_over: { status: 401, code: 89, description: 'Invalid or expired token.' },
  timestamp: { status: 401, code: 135, description: 'Timestamp out of bounds.' },
  bad_authentication: { status: 400, code: 215, description: 'Bad Authentication data.' },
  callback: {
    status: 403,
    code: 415,
    description:
      'Callback URL not approved for this client application. Approved callback URLs can be adjusted in your application settings',
  },
  plan: {
    status: 403,
    code: 453,
    description: 'You currently have access to a subset of the API; this endpoint is not part of it.',
  },
} as const

/** An error of OAuth 1.0a and of API version 1.1, with the provider's own code. */
export function createNumberedError(error: keyof typeof errors): SimulatedError {
  return new SimulatedError({ error, ...errors[error] })
}

export const errorFormat: ErrorFormat = {
  body: ({ code, description }) => ({ errors: [{ code, message: description }] }),
  malformed: (): ErrorFields => ({ error: 'bad_authentication', ...errors.bad_authentication }),
}
