import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { noticeKinds } from '#admin-api'
import { declareParameters, findTranslationErrors, readMessagesOf } from '#testing'

const directory = 'services/console/notices'
const english = readMessagesOf(`${directory}/texts/en.json`, 'notices')

test('the Japanese messages have the keys and the parameters of the English ones', () => {
  expect(findTranslationErrors(english, readMessagesOf(`${directory}/texts/ja.json`, 'notices'))).toEqual([])
})

test('the compiler knows the parameters of the messages', async () => {
  const declared = declareParameters(english, ({ key }) => key.split('.'))
  await expect(declared).toMatchFileSnapshot('../notices/texts/parameters.ts')
})

test('every kind has its texts, and the notices use every other message', () => {
  const [ofKinds, others] = [english.filter(isOfKind), english.filter((message) => !isOfKind(message))]
  expect(ofKinds.map(({ key }) => key).sort()).toEqual(
    noticeKinds.flatMap((kind) => [`kinds.${kind}.title`, `kinds.${kind}.advice`]).sort(),
  )
  const source = globSync(`${directory}/*.ts`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const unused = others.filter(({ key }) => !new RegExp(`\\b${key.split('.').at(-1)}\\b`).test(source))
  expect(unused.map(({ key }) => key)).toEqual([])
})

function isOfKind({ key }: { key: string }): boolean {
  return key.startsWith('kinds.')
}
