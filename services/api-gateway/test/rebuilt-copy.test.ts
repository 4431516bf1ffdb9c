import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { setStage } from './stage.ts'

/** A customer's copy: the primary_key of each user. */
type Copy = Map<string, { readonly primary_key: string | null }>

const stage = setStage()

const User = z.object({ identifier: z.string(), primary_key: z.string().nullable() })
const Attribute = z.object({ user: User })
const Users = z.object({ users: z.array(z.string()), next_uri: z.string().optional() })
const Page = z.object({
  events: z.array(
    z.object({
      type: z.string(),
      user: User,
      merged_user: User.optional(),
      sequence: z.number(),
      user_sequence: z.number(),
      data: z.unknown(),
    }),
  ),
  next_after: z.string(),
  more: z.boolean(),
})
type Event = z.infer<typeof Page>['events'][number]

const readEvents = async (parameters: Record<string, string>) =>
  Page.parse((await stage.web_api.get('events', parameters)).body)

/** Reads all users by `next_uri`, and what a copy needs of each. */
async function readUsers(copy: Copy): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const parameters = { limit: '10', ...(cursor !== undefined && { cursor }) }
    const listed: z.infer<typeof Users> = Users.parse((await stage.web_api.get('users', parameters)).body)
    for (const identifier of listed.users) {
      const { status, body } = await stage.web_api.get('user_attribute', { identifier })
      // Deleted meanwhile.
      if (status !== 404) copy.set(identifier, { primary_key: Attribute.parse(body).user.primary_key })
    }
    cursor = listed.next_uri === undefined ? null : new URL(listed.next_uri).searchParams.get('cursor')
  }
}

/** Applies an event as docs/use/events.md says. */
function applyEvent(copy: Copy, { type, user, merged_user, data }: Event): void {
  if (merged_user !== undefined) copy.delete(merged_user.identifier)
  if (data === null) return
  if (type === 'user.deleted') copy.delete(user.identifier)
  else copy.set(user.identifier, { primary_key: user.primary_key })
}

/** Changes random users one after another until stopped. */
function changeUsers(users: string[]) {
  const { web_api } = stage
  const provider = () => (Math.random() < 0.5 ? 'messaging' : 'search')
  const create = async () => {
    const { body } = await web_api.get('create_user', { [`provider_user_ids[${provider()}]`]: randomUUID() })
    users.push(z.object({ user: z.object({ identifier: z.string() }) }).parse(body).user.identifier)
  }
  const identifierOf = () => users[Math.floor(Math.random() * users.length)] ?? ''
  const changes = [
    create,
    create,
    () => web_api.get('map', { identifier: identifierOf(), primary_key: randomUUID(), overwrite: 'yes' }),
    () => web_api.get('unmap', { identifier: identifierOf() }),
    () => web_api.get('delete_user', { identifier: identifierOf() }),
    () => web_api.get('delete_profile', { identifier: identifierOf() }),
    () => web_api.get('merge_user', { source_identifier: identifierOf(), dest_identifier: identifierOf() }),
  ]
  let isOver = false
  const change = async () => {
    // Some users do not exist any more, or have accounts of the same provider.
    while (!isOver) await changes[Math.floor(Math.random() * changes.length)]?.()
  }
  const changing = Array.from({ length: 4 }, change)
  return {
    create,
    async stop() {
      isOver = true
      await Promise.all(changing)
    },
  }
}

test('a copy from the list of users and the later events is equal to the users, also if they change all the time', async () => {
  const traffic = changeUsers([])
  for (let n = 0; n < 20; n++) await traffic.create()

  const copy: Copy = new Map()
  let { next_after: after } = await readEvents({ after: 'newest' })
  await readUsers(copy)
  const follow = async () => {
    const page = await readEvents({ after, limit: '50' })
    for (const event of page.events) applyEvent(copy, event)
    after = page.next_after
    return page.more
  }
  for (let n = 0; n < 20; n++) await follow()
  await traffic.stop()

  const users: Copy = new Map()
  await readUsers(users)
  const sorted = (one: Copy) => [...one].toSorted(([a], [b]) => a.localeCompare(b))
  const followToEnd = async () => {
    while (await follow());
    return sorted(copy)
  }
  await expect.poll(followToEnd).toEqual(sorted(users))

  const all: Event[] = []
  for (let page = await readEvents({ limit: '100' }); ; page = await readEvents({ after: page.next_after })) {
    all.push(...page.events)
    if (!page.more) break
  }
  expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, index) => index + 1))
  for (const [, own] of Map.groupBy(all, ({ user }) => user.identifier))
    expect(own.map(({ user_sequence }) => user_sequence)).toEqual(own.map((_, index) => index + 1))
})
