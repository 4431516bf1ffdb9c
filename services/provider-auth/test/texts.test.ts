import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { declareParameters, findTranslationErrors, readMessagesOf } from '#testing'
import { pageStatuses } from '../pages/page-statuses.ts'
import { builtInLanguages } from '../texts/page-languages.ts'

const pages = 'services/provider-auth/pages'
const texts = 'services/provider-auth/texts'
const english = readMessagesOf(`${texts}/en.json`, 'texts')
const translations = globSync(`${texts}/*.json`).filter((file) => !file.endsWith('/en.json'))

test.each(translations)('the messages of %s have the keys and the parameters of the English ones', (file) => {
  expect(findTranslationErrors(english, readMessagesOf(file, 'texts'))).toEqual([])
})

test('every translation is a language of the pages', () => {
  expect([...builtInLanguages.tags].sort()).toEqual(
    ['en', ...translations.map((file) => file.replace(/^.*\/|\.json$/g, ''))].sort(),
  )
})

test('the compiler knows the parameters of the messages', async () => {
  const declared = declareParameters(english, ({ key }) => key.split('.'))
  await expect(declared).toMatchFileSnapshot('../texts/parameters.ts')
})

test('the pages use every message', () => {
  const source = globSync(`${pages}/*.{ts,eta}`)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const unused = english.filter(({ key }) => {
    const [group = '', page = ''] = key.split('.')
    return group === 'pages' ? !(page in pageStatuses) : !new RegExp(`\\b${key.split('.').at(-1)}\\b`).test(source)
  })
  expect(unused.map(({ key }) => key)).toEqual([])
})
