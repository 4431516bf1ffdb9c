import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../local/settings.ts'
import { readDocumentedValues } from '../documented-values.ts'
import { charts, generateChartFiles } from '../generate.ts'
import { createValuesSchema } from '../values-schema.ts'
import { createValuesTable } from '../values-table.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const parsed = (path: string): Record<string, unknown> => parse(read(path), { merge: true })

test.each(charts)('schema and README of %s match its values.yaml', (chart) => {
  for (const [path, text] of generateChartFiles(chart)) expect(readFileSync(path, 'utf8'), path).toBe(text)
})

/** Paths of schemas that allow any value: without a type, or with unknown keys without being declared as a map. */
function loose(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, properties, additionalProperties, allOf, description } = Object.fromEntries(Object.entries(schema))
  const below = [properties ?? {}].flatMap((one) =>
    Object.entries(one).flatMap(([key, inner]) => loose(inner, `${path}.${key}`)),
  )
  const untyped = type === undefined && allOf === undefined ? [`${path} has no type`] : []
  const open = properties !== undefined && additionalProperties !== false ? [`${path} is open`] : []
  const unsaid = description === undefined && path.includes('.') ? [`${path} is not described`] : []
  return [...untyped, ...open, ...unsaid, ...below]
}

test.each(charts)('the schema of %s rejects unknown values, and every value has a type and a description', (chart) => {
  const schema = createValuesSchema(readDocumentedValues(read(`${chart}/values.yaml`)))
  expect(loose(schema, 'values')).toEqual([])
})

const validate = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(read('charts/social-login/values.schema.json')),
)

test.each(globSync('charts/social-login/ci/*.yaml', { cwd: root }))('%s is valid under the schema', (path) => {
  validate(parsed(path))
  expect(validate.errors ?? []).toEqual([])
})

test.each([
  ['an unknown key', { setings: {} }],
  ['an unknown key in one service', { services: { identity: { replica: 2 } } }],
  ['an unknown service', { services: { billing: {} } }],
  ['text instead of a number', { defaults: { replicas: 'two' } }],
  ['an unknown mode', { migrations: { mode: 'sometimes' } }],
])('%s is rejected', (_, values) => {
  expect(validate(values)).toBe(false)
})

const Objectives = z.object({
  monitoring: z.object({ prometheusRules: z.object({ objectives: z.record(z.string(), z.number()) }) }),
})

test('the objectives match the rules', () => {
  const { monitoring } = Objectives.parse(parsed('charts/social-login/values.yaml'))
  const rules = globSync('charts/social-login/rules/objectives.yaml', { cwd: root })
  for (const path of rules) {
    const recorded = [...read(path).matchAll(/expr: \(([\d.]+)\) .*\s+labels: \{ slo: ([\w-]+) \}/g)]
    expect(monitoring.prometheusRules.objectives).toEqual(
      Object.fromEntries(recorded.map(([, part, slo]) => [slo, Number(part)])),
    )
  }
})

test('no image is from Bitnami, and each image of dev-deps names its registry and version', () => {
  const images = [...read('charts/dev-deps/values.yaml').matchAll(/^ {2}image: ([^"].*)$/gm)].map(([, image]) => image)
  expect(images).toHaveLength(3)
  for (const image of images) expect(image).toMatch(/^docker\.io\/(?!bitnami).+:[\w.-]+$/)
})

test('a value without a description or type is rejected by name', () => {
  expect(() => readDocumentedValues('a: 1\n')).toThrow('a is not documented')
  expect(() => readDocumentedValues('# -- A thing.\na: null\n')).toThrow('The type of a is unknown')
  expect(() => readDocumentedValues('# -- A thing.\na: {}\n')).toThrow('a is an empty map')
})

test('the table shows type, default and description of a value', () => {
  const values = readDocumentedValues(
    '# -- A group.\ngroup:\n  # -- How many,\n  # at most.\n  # @type integer\n  many: null\n',
  )
  expect(createValuesTable(values)).toContain('| `group.many` | integer |  | How many, at most. |')
  expect(createValuesSchema(values)).toMatchObject({
    additionalProperties: false,
    properties: { group: { properties: { many: { type: ['integer', 'null'] } } } },
  })
})
