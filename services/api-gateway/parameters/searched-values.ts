import { z } from 'zod'
import { Text } from '#contracts'
import { isPresent, type Parameter } from './parameter.ts'
import { readText } from './text.ts'

const Email = Text.max(255).regex(/^[^@\s]+@[^@\s]+$/)
/** Digits, with what people write between them. */
const PhoneNumber = z.string().regex(/^\+?[\d\s().-]{4,40}$/)

/** Exact values of profiles by which users are found, at least one. */
export interface SearchedValues {
  readonly email: string | undefined
  readonly phone_number: string | undefined
}

export function searchedValues(): Parameter<SearchedValues> {
  return {
    fields: () => [
      {
        name: 'email',
        schema: Email,
        required: false,
        description:
          'A complete e-mail address, in upper or lower case. Required unless `phone_number` is sent; with both, users have both.',
      },
      {
        name: 'phone_number',
        schema: PhoneNumber,
        required: false,
        description:
          'A complete phone number. A number that begins with `0` is one of Japan: `090-1234-5678` is `+819012345678`. Required unless `email` is sent.',
      },
    ],
    isMissing: (_, given) => !isPresent('email', given) && !isPresent('phone_number', given),
    missingDetail: { reason: 'missing', parameter: 'email' },
    read: (_, given) => ({
      email: readText('email', Email, given),
      phone_number: readText('phone_number', PhoneNumber, given),
    }),
  }
}
