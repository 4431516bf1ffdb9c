import { beforeAll, describe, expect, test } from 'vitest'
import { flows, listSuppliedClaims } from './flows.ts'
import { relyingParty } from './relying-party.ts'
import { claimsOfScope } from './standard-claims.ts'
import { openSuite, type Suite } from './suite.ts'

let suite: Suite
beforeAll(async () => {
  suite = await openSuite()
})

const everyClaim = Object.values(claimsOfScope).flat()

describe.each(flows)('$response_type by $response_mode through $path', (flow) => {
  test.each([
    ['oidcc-scope-profile', ['profile'], ['name', 'picture']],
    ['oidcc-scope-email', ['email'], ['email']],
    ['oidcc-scope-address', ['address'], []],
    ['oidcc-scope-phone', ['phone'], []],
    ['oidcc-scope-all', ['profile', 'email', 'address', 'phone'], ['name', 'picture', 'email']],
  ] as const)('%s: the claims of the scope and no others, in the flow’s response', async (_, names, received) => {
    // Some providers send the end user's name at the first login only.
    const user = `Hanako ${crypto.randomUUID()}`
    const scope = ['openid', ...names].join(' ')
    const { claims, userClaims } = await relyingParty(suite, flow).authenticate({ scope }, { user })
    const granted = new Set(names.flatMap((name) => claimsOfScope[name]))
    const given = everyClaim.filter((claim) => claim in userClaims)
    expect(given.filter((claim) => !granted.has(claim))).toEqual([])
    expect(given).toEqual(expect.arrayContaining(received.filter((claim) => listSuppliedClaims(flow).has(claim))))
    // With an access token, they are only in userinfo (OpenID Connect Core 5.4).
    if (flow.response_type === 'code') expect(everyClaim.filter((claim) => claim in claims)).toEqual([])
  })
})
