import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, configReader, processSettings, setting } from './config.ts'

const read = configReader({
  ...processSettings,
  DATABASE_URL: setting.postgres_url,
  BASE: setting.baseUrl,
  PORT: setting.port,
})
const good = { DATABASE_URL: 'postgres://u:p@h/d', BASE: 'https://api.example.com', PORT: '8080' }

test('absent and empty settings get defaults; unknown variables are ignored', () => {
  expect(read({ ...good, LOG_LEVEL: '', HOME: '/' })).toMatchObject({ LOG_LEVEL: 'info', OPS_PORT: 9_090, PORT: 8_080 })
})

test('one message has all problems, without the values', () => {
  const complaints = () =>
    read({ DATABASE_URL: 'mysql://root:s3cret@h', BASE: 'https://api.example.com/', LOG_LEVEL: 'loud' })
  expect(complaints).toThrow(ConfigError)
  expect(complaints).toThrow(
    /DATABASE_URL is wrong[\s\S]*BASE is wrong: must end without a slash|BASE[\s\S]*DATABASE_URL/,
  )
  expect(complaints).toThrow(/PORT is missing/)
  expect(complaints).toThrow(/LOG_LEVEL is wrong/)
  expect(complaints).not.toThrow(/s3cret/)
})

test('ports are integers up to 65535', () => {
  for (const port of ['-1', '8080.5', '1e3', '65536', ' 80'])
    expect(() => read({ ...good, PORT: port })).toThrow(/PORT is wrong/)
})

test('a secret can be in a file; an unreadable file, or a secret in both places, is a problem', () => {
  const directory = mkdtempSync(join(tmpdir(), 'social-login-config-'))
  const file = join(directory, 'url')
  writeFileSync(file, `${good.DATABASE_URL}\n`)
  const { DATABASE_URL, ...rest } = good
  expect(read({ ...rest, DATABASE_URL_FILE: file }).DATABASE_URL).toBe(DATABASE_URL)
  expect(() => read({ ...good, DATABASE_URL_FILE: file })).toThrow(/DATABASE_URL and DATABASE_URL_FILE are both set/)
  expect(() => read({ ...rest, DATABASE_URL_FILE: directory })).toThrow(/DATABASE_URL_FILE is wrong.*EISDIR/)
  rmSync(directory, { recursive: true })
})
