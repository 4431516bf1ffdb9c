import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventTypes } from '#contracts'

const page = readFileSync('docs/use/events.md', 'utf8')

test('docs/use/events.md lists every type of event with its summary and an example', () => {
  const rows = [...page.matchAll(/^\| `([\w.]+)` \| ([^|]+) \| `(\{.*\})` \|$/gm)].map(([, type, summary, example]) => [
    type,
    summary,
    example,
  ])
  const listed = Object.entries(eventTypes).map(([type, { summary, example }]) => [
    type,
    summary,
    JSON.stringify(example),
  ])
  expect(rows).toEqual(listed)
})

test.each(Object.entries(eventTypes))('the example of %s has the fields of its data', (_, { data, example }) => {
  expect(data.strict().safeParse(example).success).toBe(true)
})
