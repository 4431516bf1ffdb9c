import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { databaseOwners } from '../../local/database-owners.ts'
import { allInOne, services } from '../../local/services.ts'
import { programPaths } from '../programs.ts'

/** Everything that runs the image or says how to. */
const texts = globSync('{charts,deploy,docs}/**/*.{md,yaml,tpl,txt,sh}', {
  exclude: ['docs/node_modules', 'docs/.vitepress', 'docs/build'],
})

test('the image has every service, every migration and every command', () => {
  const required = [
    ...[...services.flat(), allInOne].map(({ script }) => script),
    ...databaseOwners.map(({ name }) => `services/${name}/migrate.ts`),
    ...globSync('services/*/*.ts').filter((file) => /process\.argv|parseArgs\(/.test(readFileSync(file, 'utf8'))),
  ]
  expect([...programPaths].sort()).toEqual([...new Set(required)].map((path) => path.replace(/\.ts$/, '.js')).sort())
})

test('the chart has a service for programs of the image', () => {
  const { services: values } = z
    .object({ services: z.record(z.string(), z.unknown()) })
    .parse(parse(readFileSync('charts/social-login/values.yaml', 'utf8')))
  const names = Object.keys(values).map((name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))
  expect(programPaths).toEqual(expect.arrayContaining(names.map((name) => `services/${name}/main.js`)))
})

test('the chart, Docker Compose and the documentation name only programs of the image', () => {
  const named = texts.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/services\/[a-z-]+\/[a-z-]+\.js\b/g)])
  expect(named.length).toBeGreaterThan(20)
  expect(named.map(([path]) => path).filter((path) => !programPaths.includes(path))).toEqual([])
})

test('nothing runs a TypeScript file in the image', () => {
  const inImage = /(?:exec \S+ -- node|exec console node|\$image|(?:args|command): \[)\s*services\/\S+\.ts/g
  const strays = texts.flatMap(
    (file) =>
      readFileSync(file, 'utf8')
        .match(inImage)
        ?.map((text) => `${file}: ${text}`) ?? [],
  )
  expect(strays).toEqual([])
})
