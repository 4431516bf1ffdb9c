import { beforeAll, describe, expect, test } from 'vitest'
import { faults } from '#contracts'
import { sendRawRequest } from './raw-request.ts'
import { createTestUser, setStage } from './stage.ts'

const stage = setStage()
const requestError = async (operation: string, rest = '', headers = {}) => {
  const path = `/api/${operation}?key=${stage.site.api_key}${rest}`
  const { status, body } = await sendRawRequest(stage.serviceStack.web_api, { path, headers })
  return [status, body]
}

/** The error with exactly its members. */
function errorResponseFor(
  fault: 'required_parameter_missing' | 'invalid_parameter',
  reason: string,
  parameter?: string,
) {
  const { status, code, message } = faults[fault]
  const documentation = `https://api.example.com/docs#error-${code}`
  const error = { code, message, reason, ...(parameter && { parameter }), documentation }
  return [status, { status: 'failed', error }]
}

test.each([
  ['unmap', '', 'required_parameter_missing', 'user_missing', 'identifier'],
  ['map', '&primary_key=a', 'required_parameter_missing', 'missing', 'identifier'],
  ['map', '&identifier=a', 'required_parameter_missing', 'missing', 'primary_key'],
  ['association_token', '&identifier=a', 'required_parameter_missing', 'missing', 'target_provider'],
  ['merge_user', '&source_identifier=a', 'required_parameter_missing', 'user_missing', 'dest_identifier'],
  ['authenticated_user', '&token=', 'required_parameter_missing', 'missing', 'token'],
  ['users', '&limit=0', 'invalid_parameter', 'out_of_range', 'limit'],
  ['users', '&limit=x', 'invalid_parameter', 'wrong_format', 'limit'],
  ['users', '&created_within=5w', 'invalid_parameter', 'wrong_format', 'created_within'],
  ['users', '&mapped=some', 'invalid_parameter', 'unknown_value', 'mapped'],
  ['users', '&cursor=a', 'invalid_parameter', 'cursor_invalid', 'cursor'],
  ['find_users', '&email=a@example.com', 'invalid_parameter', 'field_not_indexed', 'email'],
  ['users', '&cursor=a&page=1', 'invalid_parameter', 'cursor_with_page', 'cursor'],
  ['users', '&limit=1&limit=2', 'invalid_parameter', 'repeated', 'limit'],
  ['users', '&nonsense=1&nonsense=2', 'invalid_parameter', 'repeated', 'nonsense'],
  ['users', '&limit=%zz', 'invalid_parameter', 'bad_encoding', undefined],
  ['users', '&limit=%00', 'invalid_parameter', 'bad_encoding', undefined],
  ['users', `&limit=${'1'.repeat(17_000)}`, 'invalid_parameter', 'too_long', undefined],
  ['users', '&a=1'.repeat(70), 'invalid_parameter', 'too_many_parameters', undefined],
  ['user_attribute', '&primary_key=%20', 'invalid_parameter', 'wrong_format', 'primary_key'],
  [
    'profile_from_providers',
    '&identifier=a&target_provider=nowhere',
    'invalid_parameter',
    'unknown_value',
    'target_provider',
  ],
  ['create_user', '&provider_user_ids[search]=%0a', 'invalid_parameter', 'wrong_format', 'provider_user_ids[search]'],
  ['create_user', '&provider_user_ids[search]=', 'invalid_parameter', 'wrong_format', 'provider_user_ids[search]'],
  ['create_user', '&provider_user_ids={"search":"x"}', 'invalid_parameter', 'wrong_format', 'provider_user_ids'],
  ['create_user', '&provider_user_ids[search][0]=x', 'invalid_parameter', 'wrong_format', 'provider_user_ids'],
  ['create_user', '&provider_user_ids[]=x', 'invalid_parameter', 'wrong_format', 'provider_user_ids'],
  ['create_user', '&provider_user_ids[search=x', 'invalid_parameter', 'wrong_format', 'provider_user_ids'],
  ['create_user', '&primary_key[]=x', 'invalid_parameter', 'wrong_format', 'primary_key'],
  ['users', '&limit[]=5', 'invalid_parameter', 'wrong_format', 'limit'],
  ['users', '&mapped[0]=', 'invalid_parameter', 'wrong_format', 'mapped'],
  ['profile', '&identifier=a&delete_profile[]=true', 'invalid_parameter', 'wrong_format', 'delete_profile'],
] as const)('%s%s: %s, %s, %s', async (operation, rest, fault, reason, parameter) => {
  expect(await requestError(operation, rest)).toEqual(errorResponseFor(fault, reason, parameter))
})

describe('errors of the services', () => {
  let [first, second] = ['', '']
  beforeAll(async () => {
    first = await createTestUser(stage.web_api, { primary_key: 'details-1', 'provider_user_ids[search]': 'details-1' })
    second = await createTestUser(stage.web_api, { primary_key: 'details-2' })
  })

  test.each([
    ['user_attribute', () => `&identifier=${first}&primary_key=details-2`, 'users_differ', 'primary_key'],
    [
      'merge_user',
      () => `&source_identifier=${first}&source_primary_key=details-2&dest_identifier=${second}`,
      'users_differ',
      'source_primary_key',
    ],
    ['merge_user', () => `&source_identifier=${first}&dest_identifier=${first}`, 'same_user', 'dest_identifier'],
    ['create_user', () => '&provider_user_ids[search]=details-1', 'linked_to_another_user', 'provider_user_ids'],
  ])('code 6 at %s: %o, %s, %s', async (operation, rest, reason, parameter) => {
    expect(await requestError(operation, rest())).toEqual(errorResponseFor('invalid_parameter', reason, parameter))
  })

  test('code 6 for Idempotency-Key: malformed, used before; a repeat gets the details of the first response', async () => {
    const errorFor = (reason: string, parameter = 'Idempotency-Key') =>
      errorResponseFor('invalid_parameter', reason, parameter)
    const malformed = { 'idempotency-key': 'é' }
    expect(await requestError('unmap', '&identifier=a', malformed)).toEqual(errorFor('idempotency_key_malformed'))
    const headers = { 'idempotency-key': 'details' }
    await requestError('create_user', '', headers)
    expect(await requestError('create_user', '&primary_key=other', headers)).toEqual(errorFor('idempotency_key_reused'))
    const again = { 'idempotency-key': 'details-2' }
    for (const _ of ['first', 'repeat'])
      expect(await requestError('create_user', '&provider_user_ids[search]=details-1', again)).toEqual(
        errorFor('linked_to_another_user', 'provider_user_ids'),
      )
  })
})

test('every other error links to its description', async () => {
  expect(await requestError('user_attribute', '&identifier=unknown')).toEqual([
    404,
    {
      status: 'failed',
      error: { code: 7, message: 'Entity not found.', documentation: 'https://api.example.com/docs#error-7' },
    },
  ])
})
