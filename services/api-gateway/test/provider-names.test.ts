import { expect, test } from 'vitest'
import { createUser, logInAs, setStage } from './stage.ts'

const renamed = { PROVIDER_NAMES: 'messaging:abc' }
const stage = setStage({ gateway_environment: renamed, provider_auth_environment: renamed })

test('a provider’s wire name stands wherever the provider is named', async () => {
  const { web_api } = stage
  const identifier = await logInAs(stage, 'Hanako Yamada')
  expect((await web_api.get('providers')).body).toMatchObject({ providers: ['abc', 'search'] })
  expect((await web_api.get('providers_of_user', { identifier })).body).toMatchObject({ providers: ['abc'] })
  const { body: attributes } = await web_api.get('user_attribute', { identifier })
  expect(attributes).toMatchObject({
    user: { last_logged_in_provider: 'abc' },
    providers: { abc: { abc_id: expect.any(String) } },
  })
  expect(JSON.stringify(attributes)).not.toContain('messaging')
  expect((await web_api.get('profile', { identifier })).body).toMatchObject({ email: [{ media_id: 'abc' }] })
})

test('a parameter is read by the wire name, and the token it replaces is nobody’s', async () => {
  const primary_key = 'renamed'
  await createUser(stage.web_api, {
    primary_key,
    'provider_user_ids[abc]': 'U1',
    'provider_user_ids[messaging]': 'U2',
  })
  const { body } = await stage.web_api.get('user_attribute', { primary_key })
  expect(body).toMatchObject({ providers: { abc: { abc_id: 'U1' } } })
})
