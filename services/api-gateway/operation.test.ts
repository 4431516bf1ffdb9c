import { expect, test } from 'vitest'
import { z } from 'zod'
import { Fault, type FaultName, providerNames } from '#contracts'
import { readParameters } from '#http'
import type { Caller } from './caller.ts'
import { defineOperation, type Faults, faultsOf, type Operation, type OperationDeps } from './operation.ts'
import { operations } from './operations/index.ts'
import { flag } from './parameters/flag.ts'
import { optional, required } from './parameters/text.ts'
import { userIds } from './parameters/user-ids.ts'

// These operations call no service.
const deps = {} as OperationDeps
const caller = {} as Caller

const respond = async (operation: Operation, query: string) =>
  operation.prepare(readParameters(query), providerNames())(deps, caller)

const sample = (run: () => Promise<Record<string, never>> = async () => ({}), faults: Faults = {}) =>
  defineOperation({
    name: 'sample',
    title: 'Paint',
    group: 'users',
    summary: '',
    writes: false,
    parameters: {
      color: required(z.enum(['red', 'blue']), ''),
      size: optional(z.enum(['small', 'large']), ''),
      user: userIds(),
      loud: flag(''),
    },
    faults,
    response: () => ({}),
    example: () => ({ query: {}, response: {} }),
    run,
  })

test.each([
  { query: '', fault: 'required_parameter_missing' },
  { query: 'color=red', fault: 'required_parameter_missing' },
  { query: 'identifier=a', fault: 'required_parameter_missing' },
  { query: 'color=&identifier=a', fault: 'required_parameter_missing' },
  { query: 'color=green&size=huge', fault: 'required_parameter_missing' },
  { query: 'color=red&color=red', fault: 'required_parameter_missing' },
  { query: 'color=green&identifier=a', fault: 'invalid_parameter' },
  { query: 'color=red&size=huge&identifier=a', fault: 'invalid_parameter' },
  { query: 'color=red&color=red&identifier=a', fault: 'invalid_parameter' },
  { query: 'color=red&identifier=a&identifier=a', fault: 'invalid_parameter' },
  { query: 'color=red&identifier=a&unknown=1&unknown=2', fault: 'invalid_parameter' },
  { query: `color=red&identifier=${'a'.repeat(41)}`, fault: 'invalid_parameter' },
  { query: 'color=red&identifier=a&primary_key=%E3%81%82', fault: 'invalid_parameter' },
])('"$query" is $fault: missing parameters are reported before invalid ones', async ({ query, fault }) => {
  await expect(respond(sample(), query)).rejects.toMatchObject({ fault })
})

test('unknown parameters are ignored', async () => {
  const query = 'color=red&primary_key=p&whatever=1&__proto__=2&constructor=3'
  await expect(respond(sample(), query)).resolves.toEqual({})
})

test('a declared fault is rethrown; an undeclared one is a defect', async () => {
  const query = 'color=red&identifier=a'
  const give = (fault: FaultName) => async () => {
    throw new Fault(fault)
  }
  const declares = sample(give('already_mapped'), { already_mapped: 'always' })
  const hides = sample(give('already_mapped'))
  const failing = sample(give('unavailable'))
  await expect(respond(declares, query)).rejects.toMatchObject({ fault: 'already_mapped' })
  await expect(respond(hides, query)).rejects.toThrow('sample threw already_mapped')
  await expect(respond(failing, query)).rejects.toMatchObject({ fault: 'unavailable' })
})

test('the errors of an operation follow from its description, in the order of the checks', () => {
  const errorNames = Object.fromEntries(operations.map((described) => [described.name, faultsOf(described)]))
  const callerFaults = ['invalid_api_key', 'address_not_allowed', 'option_contract_needed', 'too_many_requests']
  const serviceFaults = ['operation_failed', 'unavailable']
  expect(errorNames.appinfo).toEqual([...callerFaults, 'body_not_a_form', 'invalid_parameter', ...serviceFaults])
  expect(errorNames.create_user).toEqual([
    ...callerFaults,
    'server_call_only',
    'body_not_a_form',
    'invalid_parameter',
    'entity_not_found',
    'duplicated_primary_key',
    ...serviceFaults,
  ])
  expect(errorNames.map).toEqual([
    ...callerFaults,
    'server_call_only',
    'body_not_a_form',
    'required_parameter_missing',
    'invalid_parameter',
    'entity_not_found',
    'duplicated_primary_key',
    'already_mapped',
    ...serviceFaults,
  ])
})

test('operation names are unique', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
})
