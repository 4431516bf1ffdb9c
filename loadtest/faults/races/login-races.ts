import {
  logIn,
  openRedirect,
  openTestBrowser,
  submitProviderSignIn,
} from '../../../services/provider-auth/test/browser.ts'
import { authenticateUrl, authorizeUrl, readLoginResult, readSubject, redeem } from '../crashes/login-operations.ts'
import { issueAssociationToken, prepareLink } from '../link-account.ts'
import { callWebApi } from '../web-api.ts'
import { type Race, type RaceContext, racers } from './race.ts'

/** The links of users with the provider search, and their logins. */
async function readLinks({ databases }: RaceContext, users: Iterable<string>): Promise<unknown> {
  const { rows } = await databases.identity.raw<{ rows: unknown[] }>(
    `select count(*)::integer as links, sum(u.login_count)::integer as logins
     from links l join users u using (site, identifier) where provider = 'search' and identifier = any(?)`,
    [[...users]],
  )
  return rows[0]
}

/** The browser's part of each racer, one after another, as the provider's simulator has one process. */
async function prepareEach<T>(make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let index = 0; index < racers; index++) made.push(await make(index))
  return made
}

const run = (sends: readonly (() => Promise<string>)[]) => async (index: number) => (await sends[index]?.()) ?? 'none'

/** Races of logins, links and tokens. */
export const loginRaces: readonly Race[] = [
  {
    name: 'code that is redeemed',
    async prepare({ site }, tag) {
      const location = await logIn(openTestBrowser(), authorizeUrl(site, 'code'), { user: tag })
      const code = readLoginResult(location).get('code') ?? ''
      return {
        send: async () => ((await redeem(site, code)) === undefined ? 'rejected' : 'tokens'),
        expected: { tokens: 1, rejected: racers - 1 },
      }
    },
  },
  {
    name: 'one-time token that is redeemed',
    async prepare({ site }, tag) {
      const { searchParams } = await logIn(openTestBrowser(), authenticateUrl(site), { user: tag })
      const token = searchParams.get('token') ?? ''
      return {
        send: async () => (await callWebApi(site, 'authenticated_user', { token })).outcome,
        expected: { '200': 1, '404 4': racers - 1 },
      }
    },
  },
  {
    name: 'association token with 50 accounts',
    async prepare(context, tag) {
      const { site } = context
      const identifier = await site.createUser({ links: [{ provider: 'messaging', provider_user_id: tag }] })
      const address = await issueAssociationToken(site, identifier)
      return {
        send: async (index) => (await prepareLink(site, address, `${tag}-${index}`))(),
        expected: { authorized: 1, failed: racers - 1 },
        readStored: () => readLinks(context, [identifier]),
        stored: { links: 1, logins: 0 },
      }
    },
  },
  {
    name: 'account that 50 users link',
    async prepare(context, tag) {
      const { site } = context
      const users: string[] = []
      const sends = await prepareEach(async (index) => {
        const identifier = await site.createUser({
          links: [{ provider: 'messaging', provider_user_id: `${tag}-${index}` }],
        })
        users.push(identifier)
        return prepareLink(site, await issueAssociationToken(site, identifier), tag)
      })
      return {
        send: run(sends),
        expected: { authorized: 1, failed: racers - 1 },
        readStored: () => readLinks(context, users),
        stored: { links: 1, logins: 0 },
      }
    },
  },
  {
    name: 'first logins of one account',
    async prepare(context, tag) {
      const { site } = context
      const users = new Set<string>()
      const sends = await prepareEach(async () => {
        const browser = openTestBrowser()
        const atProvider = await openRedirect(browser, authorizeUrl(site, 'id_token'))
        const callback = await submitProviderSignIn(browser, atProvider, { user: tag })
        return async () => {
          const idToken = readLoginResult(new URL(await openRedirect(browser, callback))).get('id_token')
          if (idToken === null) return 'error'
          users.add(readSubject(idToken))
          return 'login'
        }
      })
      return {
        send: run(sends),
        expected: { login: racers },
        readStored: () => readLinks(context, users),
        stored: { links: 1, logins: racers },
      }
    },
  },
  {
    name: 'token that is renewed',
    async prepare({ site }, tag) {
      const location = await logIn(openTestBrowser(), authorizeUrl(site, 'id_token'), { user: tag })
      const identifier = readSubject(readLoginResult(location).get('id_token') ?? '')
      const readToken = async () =>
        /"access_token":"([^"]+)"/.exec((await callWebApi(site, 'user_attribute', { identifier })).body)?.[1]
      const before = await readToken()
      await site.expireTokens(identifier)
      let renewed: string | undefined
      return {
        async send() {
          const token = await readToken()
          if (token === undefined || token === before) return 'not renewed'
          renewed ??= token
          return token === renewed ? 'renewed' : 'renewed twice'
        },
        expected: { renewed: racers },
      }
    },
  },
]
