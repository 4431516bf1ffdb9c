import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { get, post, requireText, withQuery } from '../simulator.ts'
import { clientId, clientSecret, expectedGraphError, graph, me, remove, setSimulator, tokenFor, url } from './social.ts'

setSimulator()

describe('profile', () => {
  const fields = 'id,name,first_name,middle_name,last_name,picture.type(large),email,birthday'

  test('returns the requested and granted fields only', async () => {
    const { json } = await me(await tokenFor('Ada Augusta King'), { fields })
    expect(json).toEqual({
      id: expect.stringMatching(/^\d{17}$/),
      name: 'Ada Augusta King',
      first_name: 'Ada',
      middle_name: 'Augusta',
      last_name: 'King',
      picture: { data: { height: 200, width: 200, is_silhouette: false, url: expect.stringContaining('/people/') } },
      email: expect.stringMatching(/@social\.example$/),
    })
  })

  test('returns ID and name by default', async () => {
    expect(Object.keys((await me(await tokenFor('ada'))).json)).toEqual(['id', 'name'])
  })

  test('returns age range, birthday, gender, link, home town and location with their permissions', async () => {
    const scope = 'user_age_range,user_birthday,user_gender,user_link,user_hometown,user_location'
    const more = 'age_range,birthday,gender,link,hometown,location'
    const { json } = await me(await tokenFor('grace', { scope }), { fields: more })
    expect(json).toEqual({
      id: expect.any(String),
      age_range: { min: 21 },
      birthday: expect.stringMatching(/^\d\d\/\d\d\/19\d\d$/),
      gender: expect.stringMatching(/^(fe)?male$/),
      link: expect.stringMatching(/^http/),
      hometown: { id: expect.any(String), name: expect.any(String) },
      location: { id: expect.any(String), name: expect.any(String) },
    })
  })

  test('returns another ID of a user for each application', async () => {
    const [one, other] = await Promise.all([tokenFor('ada'), tokenFor('ada', { client_id: 'other' })])
    expect((await me(one)).json.id).not.toBe((await me(other)).json.id)
  })

  test('a declined e-mail address is not returned, and requested again only with rerequest', async () => {
    const email = async (changes: Record<string, string>, responses: Record<string, string>) =>
      (await me(await tokenFor('shy', changes, responses), { fields: 'email' })).json.email
    expect(await email({}, { option: 'yes' })).toBeUndefined()
    expect(await email({}, {})).toBeUndefined()
    expect(await email({ auth_type: 'rerequest' }, {})).toMatch(/@/)
  })

  test.each([
    ['an unknown field', { fields: 'id,shoe_size' }, 'OAuthException'],
    ['a wrong proof', { appsecret_proof: '0'.repeat(64) }, 'GraphMethodException'],
  ])('%s is an error object of the type %s', async (_, parameters, type) => {
    const { status, json } = await me(await tokenFor('ada'), parameters)
    expect({ status, json }).toEqual({ status: 400, json: expectedGraphError(100, type) })
  })

  test('accepts a correct proof, and rejects requests without one if the application requires it', async () => {
    const accessToken = await tokenFor('ada', { client_id: 'strict' })
    const appsecretProof = createHmac('sha256', clientSecret).update(accessToken).digest('hex')
    expect((await me(accessToken, { appsecret_proof: appsecretProof })).status).toBe(200)
    expect((await me(accessToken)).json).toEqual(expectedGraphError(100, 'GraphMethodException'))
  })

  test('requires a valid token', async () => {
    expect((await get(`${graph}/me`)).json).toEqual(expectedGraphError(2500))
    const { status, json, headers } = await me('unknown')
    expect({ status, json }).toEqual({ status: 400, json: expectedGraphError(190) })
    expect(headers.get('www-authenticate')).toMatch(/^OAuth "Facebook Platform" "invalid_token" "/)
  })
})

describe('token inspection', () => {
  const inspect = (inputToken: string, accessToken = `${clientId}|${clientSecret}`) =>
    get(withQuery(`${url}/debug_token`, { input_token: inputToken, access_token: accessToken }))

  test('returns the user and permissions of a token to its application', async () => {
    const accessToken = await tokenFor('ada')
    const { json } = await inspect(accessToken)
    expect(json.data).toMatchObject({
      app_id: clientId,
      is_valid: true,
      scopes: ['public_profile', 'email'],
      user_id: (await me(accessToken)).json.id,
    })
  })

  test('a token of another application, or an unknown one, is not valid', async () => {
    const foreign = await inspect(await tokenFor('ada', { client_id: 'other' }))
    expect(foreign.json.data).toMatchObject({ is_valid: false })
    expect((await inspect('unknown')).json.data).toMatchObject({ is_valid: false, error: { code: 190 } })
  })

  test('requires the application’s own token, which the token endpoint also issues', async () => {
    const { json } = await post(`${graph}/oauth/access_token`, {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    })
    expect((await inspect('x', requireText(json.access_token))).status).toBe(200)
    expect((await inspect('x', `${clientId}|wrong`)).json).toEqual(expectedGraphError(190))
    expect((await inspect('x', await tokenFor('ada'))).json).toEqual(expectedGraphError(190))
  })
})

describe('permissions', () => {
  test('are listed, and can be revoked one by one', async () => {
    const accessToken = await tokenFor('Grace Hopper')
    const listed = async () => (await get(`${graph}/me/permissions`, accessToken)).json.data
    expect(await listed()).toEqual([
      { permission: 'public_profile', status: 'granted' },
      { permission: 'email', status: 'granted' },
    ])
    expect(await (await remove('/me/permissions/email', accessToken)).json()).toBe(true)
    expect(await listed()).toContainEqual({ permission: 'email', status: 'declined' })
  })

  test('deleted together revoke every token, of this application only', async () => {
    const [first, second] = [await tokenFor('leaver'), await tokenFor('leaver')]
    const elsewhere = await tokenFor('leaver', { client_id: 'other' })
    const response = await remove('/me/permissions', first)
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: true })
    for (const accessToken of [first, second]) {
      expect((await me(accessToken)).json).toEqual({
        error: expect.objectContaining({ code: 190, error_subcode: 458 }),
      })
    }
    expect((await remove('/me/permissions', first)).status).toBe(400)
    expect((await me(elsewhere)).status).toBe(200)
    expect((await me(await tokenFor('leaver'))).status).toBe(200)
    expect((await me(first)).status).toBe(400)
  })

  test('can be deleted by user ID, with the application’s token or the user’s own', async () => {
    const app = `${clientId}|${clientSecret}`
    for (const by of ['app', 'user']) {
      const accessToken = await tokenFor('leaver')
      const { id } = (await me(accessToken)).json
      expect((await remove('/1/permissions', by === 'app' ? app : accessToken)).status).toBe(400)
      expect((await remove(`/${id}/permissions`, by === 'app' ? app : accessToken)).status).toBe(200)
      expect((await me(accessToken)).status).toBe(400)
    }
  })
})
