import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SecretKey } from './secret-key.ts'

const rejectionOf = (key: Buffer | string) =>
  SecretKey.safeParse(typeof key === 'string' ? key : key.toString('base64')).error?.issues[0]?.message

test('keys from this repository are rejected', () => {
  const texts = '{*,{deploy,docs,libs,loadtest,services}/**/*}.{ts,js,json,md,sh,yaml,yml,env,txt,html,eta,tpl}'
  const written = globSync(texts, { exclude: ['**/node_modules/**', '**/.vitepress/**'] }).flatMap(
    (file) => readFileSync(file, 'utf8').match(/(?<![\w+/=-])[A-Za-z0-9+/]{43}=(?![\w+/=-])/g) ?? [],
  )
  // The documentation has one as an example.
  expect(written).not.toHaveLength(0)
  for (const key of written) expect(rejectionOf(key)).toContain('is a sample or guessable key')
})

test('keys that are not random are rejected', () => {
  for (const key of [
    Buffer.alloc(32),
    Buffer.alloc(32, 0xff),
    Buffer.alloc(32, 'key'),
    Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
    Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index)),
    Buffer.from('0123456789abcdef0123456789abcdef'),
    Buffer.from('correct horse battery staple ...'),
  ])
    expect(rejectionOf(key)).toBe('is a sample or guessable key; make one with: openssl rand -base64 32')
  for (let times = 0; times < 1_000; times++) expect(rejectionOf(randomBytes(32))).toBeUndefined()
})

test('a key of another length or in another encoding is rejected', () => {
  for (const text of ['', 'c2hvcnQ=', randomBytes(33).toString('base64'), randomBytes(32).toString('hex')])
    expect(rejectionOf(text)).toBe('must be the base64 of 32 bytes')
})
