import { randomUUID } from 'node:crypto'
import { repeatUntilDefinite } from '../client.ts'
import { callWebApi } from '../web-api.ts'
import { type Race, type RaceContext, racers } from './race.ts'

const links = (tag: string, provider: 'messaging' | 'search') => [{ provider, provider_user_id: `${tag}-${provider}` }]

/** The users of a race, by their primary keys. */
async function readUsers({ databases }: RaceContext, tag: string): Promise<unknown> {
  const { rows } = await databases.identity.raw<{ rows: unknown[] }>(
    `select primary_key, (select count(*)::integer from links l where (l.site, l.identifier) = (u.site, u.identifier)) as links
     from users u where primary_key like ? order by primary_key`,
    [`${tag}%`],
  )
  return rows
}

/** Races of operations of the Web API. */
export const webApiRaces: readonly Race[] = [
  {
    name: 'create_user with one primary_key',
    async prepare(context, tag) {
      return {
        send: async () => (await callWebApi(context.site, 'create_user', { primary_key: tag })).outcome,
        expected: { '200': 1, '400 16': racers - 1 },
        readStored: () => readUsers(context, tag),
        stored: [{ primary_key: tag, links: 0 }],
      }
    },
  },
  {
    name: 'create_user with one Idempotency-Key',
    async prepare(context, tag) {
      const key = randomUUID()
      const attempt = async () => {
        const { status, body } = await callWebApi(context.site, 'create_user', { primary_key: tag }, key)
        return status === 503 ? undefined : { status, body }
      }
      let first: string | undefined
      return {
        async send() {
          const answer = (await attempt()) ?? (await repeatUntilDefinite(attempt, { withinMs: 30_000 }))
          first ??= answer?.body
          return answer?.body === first ? `${answer?.status}` : 'another answer'
        },
        expected: { '200': racers },
        readStored: () => readUsers(context, tag),
        stored: [{ primary_key: tag, links: 0 }],
      }
    },
  },
  {
    name: 'map of one primary_key',
    async prepare(context, tag) {
      const users = await Promise.all(Array.from({ length: racers }, () => context.site.createUser({ links: [] })))
      return {
        async send(index) {
          const parameters = { identifier: users[index] ?? '', primary_key: tag }
          return (await callWebApi(context.site, 'map', parameters)).outcome
        },
        expected: { '200': 1, '400 16': racers - 1 },
        readStored: () => readUsers(context, tag),
        stored: [{ primary_key: tag, links: 0 }],
      }
    },
  },
  {
    name: 'delete_user of one user',
    async prepare(context, tag) {
      await context.site.createUser({ primary_key: tag, links: links(tag, 'messaging') })
      return {
        send: async () => (await callWebApi(context.site, 'delete_user', { primary_key: tag })).outcome,
        expected: { '200': 1, '404 7': racers - 1 },
        readStored: () => readUsers(context, tag),
        stored: [],
      }
    },
  },
  {
    name: 'merge_user of two users into each other',
    async prepare(context, tag) {
      const one = await context.site.createUser({ primary_key: `${tag}-1`, links: links(tag, 'messaging') })
      const other = await context.site.createUser({ primary_key: `${tag}-2`, links: links(tag, 'search') })
      return {
        async send(index) {
          const [source, destination] = index % 2 === 0 ? [one, other] : [other, one]
          const parameters = { source_identifier: source, dest_identifier: destination }
          return (await callWebApi(context.site, 'merge_user', parameters)).outcome
        },
        expected: { '200': 1, '404 7': racers - 1 },
        async readStored() {
          const users = await readUsers(context, tag)
          return Array.isArray(users) ? users.map((user) => Reflect.get(Object(user), 'links')) : []
        },
        stored: [2],
      }
    },
  },
]
