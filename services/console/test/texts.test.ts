import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { adminReasons, loginOnlyExplanations, rejectionExplanations, requestExplanations } from '#admin-api'
import { loadCatalog } from '#catalog'
import {
  builtInLoginProviders,
  definitionForms,
  eventTypeNames,
  faultReasons,
  loginProviderDescriptions,
} from '#contracts'
import {
  declareParameters,
  findTranslationErrors,
  type Message,
  messagesIn,
  parametersOf,
  readMessages,
} from '#testing'

const texts = 'services/console/web/texts'
const english = readMessages(`${texts}/en`)
const japanese = readMessages(`${texts}/ja`)
/** Messages whose English is in the contract. */
const ofContract = Object.entries({
  explanations: requestExplanations,
  'fault-reasons': faultReasons,
  'login-explanations': loginOnlyExplanations,
  reasons: adminReasons,
  'rejection-explanations': rejectionExplanations,
}).flatMap(([area, sentences]) => messagesIn(sentences, { file: 'libs/contracts', path: `${area}.json` }))

const catalogNames = loadCatalog().map(({ name }) => name)

const isOfGuide = ({ name }: Message) => /^(providers|configured)\//.test(name)

/** Path of a message in the catalogue or, for a guide, in the result of `useGuide`, for example `['users', 'count']`. */
function pathOf({ name, key }: Message): string[] {
  const area = /^(providers|configured)\//.test(name) ? 'guide' : name.replace(/\.json: .*/, '').replaceAll('-', '_')
  return [area, ...key.split('.')]
}

test('every type of event has a title, and no title is unused', () => {
  const titles = english.filter(({ name }) => name.startsWith('event-types')).map(({ key }) => key)
  expect(titles.sort()).toEqual([...eventTypeNames].sort())
})

test('every setting of a definition has a label', () => {
  const keys = new Set(english.filter(({ name }) => name.startsWith('definition')).map(({ key }) => key))
  const labels = Object.values(definitionForms).flatMap(({ fields, endpoints, scopes }) => [
    ...Object.keys(fields).map((name) => `fields.${name}`),
    ...endpoints.map((name) => `endpoints.${name}`),
    ...Object.keys(scopes).map((name) => `scopes.${name}`),
  ])
  expect(labels.filter((label) => !keys.has(label))).toEqual([])
})

test('the Japanese messages have the keys and the parameters of the English ones', () => {
  expect(findTranslationErrors([...english, ...ofContract], japanese)).toEqual([])
})

test('the compiler knows the parameters of the messages', async () => {
  await expect(declareParameters(english, pathOf)).toMatchFileSnapshot('../web/texts/parameters.ts')
})

test.each(['en', 'ja'])(
  'each login provider has a guide in %s, and so do configured ones, without parameters',
  (language) => {
    const guides = readMessages(`${texts}/${language}`).filter(isOfGuide)
    const described = new Set(guides.map(({ file }) => basename(file, '.json')))
    expect([...described].sort()).toEqual(['configured', ...catalogNames, ...builtInLoginProviders].sort())
    expect(guides.filter((message) => parametersOf(message).size > 0)).toEqual([])
  },
)

test.each(['en', 'ja'])(
  'each option of a login provider has a name in %s, as does each choice, and no name is unused',
  (language) => {
    const named = readMessages(`${texts}/${language}`).filter(isOfGuide)
    for (const provider of builtInLoginProviders) {
      const { options, hasOfficialAccount } = loginProviderDescriptions[provider]
      const expected = Object.entries(options).flatMap(([name, option]) =>
        option.type === 'choice' ? [name, ...option.values] : [name],
      )
      const names = named
        .filter(({ file, key }) => basename(file, '.json') === provider && /^options\.(?!.*_hint$)/.test(key))
        .map(({ key }) => key.replace('options.', ''))
      expect(names.sort(), provider).toEqual([...expected, ...(hasOfficialAccount ? ['official_account'] : [])].sort())
    }
  },
)

test('the pages use every message', () => {
  const used = new Set(
    globSync('services/console/web/{admin,pages,parts,shell,sign-in}/**/*.{ts,tsx}').flatMap(usedPaths),
  )
  const unused = english.filter((message) => !prefixesOf(pathOf(message)).some((path) => used.has(path)))
  expect(unused.map(({ name }) => name)).toEqual([])
})

/** `['a', 'b']` gives `['a', 'a.b']`. */
const prefixesOf = (path: readonly string[]) => path.map((_, at) => path.slice(0, at + 1).join('.'))
const known = new Set(english.flatMap((message) => prefixesOf(pathOf(message))))

/** Messages and groups of messages that a file uses, for example `users.count` and `exports.states`. */
function usedPaths(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  return [...variablesIn(source)].flatMap(([variable, path]) => {
    const chains = [...source.matchAll(new RegExp(`(?<![\\w.])${variable}((?:\\.\\w+)+)`, 'g'))]
    // The end of a chain can be a method, such as `.map`.
    const used = chains.flatMap(
      ([, chain]) => prefixesOf(`${path}${chain}`.split('.')).findLast((one) => known.has(one)) ?? [],
    )
    // An index, or another name.
    const isUsedAsAWhole = new RegExp(`(?<![\\w.])${variable}\\[|= ${variable}$`, 'm').test(source)
    return [...used.filter((one) => one.includes('.')), ...(isUsedAsAWhole ? [path] : [])]
  })
}

/** The variables of a file that contain messages, with their paths. */
function variablesIn(source: string): [variable: string, path: string][] {
  const variables: [string, string][] = []
  for (const [, names = '', call] of source.matchAll(/const \{([^}]+)\} = (useTexts|useSignInTexts|useGuide)\(/g)) {
    for (const name of names.split(',')) {
      const [area = '', variable = area] = name.trim().split(': ')
      variables.push([variable, call === 'useGuide' ? `guide.${area}` : area])
    }
  }
  for (const [, variable = '', path = ''] of source.matchAll(/(\w+)(?:: .+)? = use(?:SignIn)?Texts\(\)\.([\w.]+)/g))
    variables.push([variable, path])
  if (/guide(: Guide)? = useGuide\(/.test(source)) variables.push(['guide', 'guide'])
  return variables
}
