import { randomUUID } from 'node:crypto'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createLogger } from '#runtime'
import { writeCountryDatabase } from '#testing'
import { openCountryDatabase } from '../country-database.ts'

const logger = createLogger('test', 'silent')
const newPath = () => join(inject('directory'), `${randomUUID()}.mmdb`)

test('the country of an address is known if its block is in the database', () => {
  const path = newPath()
  writeCountryDatabase(path, { '192.0.2.0/24': 'JP', '198.51.100.7/32': 'DE', '2001:db8::/32': 'FR' })
  using database = openCountryDatabase(path, { logger })
  const addresses = ['192.0.2.200', '198.51.100.7', '198.51.100.8', '2001:db8::1', '2001:db9::1', undefined]
  expect(addresses.map(database.findCountry)).toEqual(['JP', 'DE', null, 'FR', null, null])
})

test('without the setting, no country is known', () => {
  using database = openCountryDatabase(undefined, { logger })
  expect(database.findCountry('192.0.2.1')).toBeNull()
})

test('a changed file is read again; one that is no database changes nothing', async () => {
  const path = newPath()
  const change = (at: number) => utimesSync(path, at, at)
  writeCountryDatabase(path, { '192.0.2.0/24': 'JP' })
  change(1)
  const failures: string[] = []
  const recording = createLogger('test', 'warn', { write: (line) => failures.push(line) })
  using database = openCountryDatabase(path, { logger: recording, intervalMs: 5 })
  writeCountryDatabase(path, { '192.0.2.0/24': 'US' })
  change(2)
  await expect.poll(() => database.findCountry('192.0.2.1')).toBe('US')
  writeFileSync(path, 'no database')
  change(3)
  await expect.poll(() => failures.join('')).toContain('the changed COUNTRY_DATABASE cannot be read')
  expect(database.findCountry('192.0.2.1')).toBe('US')
})

test('the service does not start without the file, or with another one', () => {
  const path = newPath()
  expect(() => openCountryDatabase(path, { logger })).toThrow(/COUNTRY_DATABASE cannot be read/)
  writeFileSync(path, 'no database')
  expect(() => openCountryDatabase(path, { logger })).toThrow(/COUNTRY_DATABASE cannot be read/)
})
