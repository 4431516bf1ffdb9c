import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ImportTest, openImportTest } from './import-harness.ts'

let opened: ImportTest
let importText: ImportTest['importText']
let rejectionsOf: ImportTest['rejectionsOf']
beforeAll(async () => {
  opened = await openImportTest()
  ;({ importText, rejectionsOf } = opened)
  return opened[Symbol.asyncDispose]
})

const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const withName = (key: string, fullName: string) => ({
  primary_key: key,
  links: [{ provider: 'search', provider_user_id: key, data: { profile: { full_name: fullName } } }],
})
const nameOf = async (key: string) => (await opened.profileOf(key)).profile.full_name

describe('a file of user records', () => {
  test('is read up to LF: other separators of Unicode are part of a text', async () => {
    const key = randomUUID()
    const name = 'a\u2028b\u2029c\u0085d'
    expect((await importText(lines(withName(key, name)))).out).toContain('created: 1, merged: 0')
    expect(await nameOf(key)).toBe(name)
  })

  test('is a list as well', async () => {
    const records = [{ primary_key: randomUUID() }, { primary_key: randomUUID() }]
    expect((await importText(JSON.stringify(records, null, 2))).out).toContain('created: 2')
  })

  test('is one record after another on several lines as well', async () => {
    const records = [{ primary_key: randomUUID() }, { primary_key: randomUUID() }]
    const text = records.map((record) => JSON.stringify(record, null, 2)).join('\n')
    expect((await importText(text)).out).toContain('created: 2')
  })

  test('has a line that is no JSON at its start', async () => {
    expect(await rejectionsOf('nothing\n{}\n', ['--dry-run', '--format', 'ndjson'])).toEqual([
      '1  is not a line of JSON',
    ])
  })

  test.each([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE', (text: string) => iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16BE', (text: string) => iconv.encode(text, 'utf-16be', { addBOM: true })],
    ['Shift_JIS', (text: string) => iconv.encode(text, 'shift_jis')],
    ['gzip', (text: string) => gzipSync(text)],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
  ])('is read as %s', async (_, encode) => {
    const keys = Array.from({ length: 3 }, () => randomUUID())
    expect((await importText(encode(lines(...keys.map((key) => withName(key, '山田 花子')))))).out).toContain(
      'created: 3',
    )
    expect(await Promise.all(keys.map(nameOf))).toEqual(['山田 花子', '山田 花子', '山田 花子'])
  })

  test('of no known encoding is rejected', async () => {
    const { code, err } = await importText(
      Buffer.from([...Buffer.from('{"primary_key":"é'), 0xff, 0xfd, 0x80, 0x22, 0x7d]),
    )
    expect([code, err]).toEqual([2, expect.stringContaining('Save it as UTF-8.')])
  })

  test('that is empty says so', async () => {
    expect(await importText('\n \n')).toMatchObject({ code: 0, out: expect.stringContaining('has no users.') })
  })

  test('that ends early is rejected, without an import to continue if nothing was stored', async () => {
    const { code, err } = await importText('[{"primary_key":"a"},{"prim')
    expect([code, err]).toEqual([2, expect.stringContaining('The file is not JSON after value 1')])
    expect(err).not.toContain('--resume')
  })
})

test('standard input is a file', async () => {
  const key = randomUUID()
  const stdin = Readable.from([Buffer.from(lines({ primary_key: key }))])
  expect((await opened.run(['-'], [], { stdin })).out).toContain('created: 1')
  expect(await opened.find(key)).toHaveLength(1)
})

test('several files are imported one after another, and the report names the file', async () => {
  const [key, report] = [randomUUID(), join(opened.directory, randomUUID())]
  const paths = await Promise.all([
    opened.write(lines({ primary_key: key })),
    opened.write('primary_key,portal_id\n\nb,1E+20\n', 'b.csv'),
  ])
  const { code, out } = await opened.run(paths, ['--report', report])
  expect(code).toBe(10)
  expect(out.match(/created: \d/g)).toEqual(['created: 1', 'created: 0'])
  expect(await readFile(report, 'utf8')).toContain(`b.csv`)
})

describe('a record that cannot be read is rejected by line, field and reason, and the rest goes on', () => {
  test.each([
    [
      'a text where a number is expected',
      [{ user_id: 'google-oauth2|1', logins_count: '3' }],
      ['1 logins_count must be a number'],
    ],
    [
      'JSON within JSON that is cut',
      [{ Username: 'a', Attributes: [{ Name: 'identities', Value: '[{"userId":"1' }] }],
      ['1 Attributes.0.Value must be JSON'],
    ],
    ['a line that is no JSON', '{"primary_key":"not-json-1"}\n{"prim\n', ['2  is not a line of JSON']],
    ['a line that is no object', '{"primary_key":"no-object-1"}\n[]\n', ['2  must be an object']],
    [
      'a time in another form',
      'primary_key,created_at\nt,2021/6/1 10:00\n',
      ['2 created_at must be a time in UTC such as 2030-01-31T00:00:00Z'],
    ],
    [
      'an ID that a spreadsheet shortened',
      'primary_key,search_id\ns,1.00051E+20\n',
      ['2 search_id was shortened by a spreadsheet; format the column as text, and export again'],
    ],
    [
      'a word that is no boolean',
      'primary_key,profile_prohibited\nb,perhaps\n',
      ['2 profile_prohibited must be true, yes, y or enabled, or else false, no, n or disabled'],
    ],
    [
      'a number in another form',
      'primary_key,login_count\nn,0x10\nm,1e3\n',
      ['2 login_count must be a whole number', '3 login_count must be a whole number'],
    ],
    [
      'a row with more values than columns',
      'primary_key,search_id\nr,1,2\n',
      ['2  has 1 more values than the header has columns'],
    ],
    [
      'a profile without an account',
      'primary_key,full_name\nr,Ada\n',
      ['2 full_name needs an account of a login provider in the same row'],
    ],
  ])('%s', async (_, content, rejections) => {
    expect(await rejectionsOf(content, ['--dry-run'])).toEqual(rejections)
  })
})

describe('a spreadsheet', () => {
  const toCsv = (rows: readonly (readonly string[])[], delimiter = ',') =>
    rows.map((row) => `${row.join(delimiter)}\r\n`).join('')

  test('has carriage returns only between its rows, and each rejected line has its number', async () => {
    const text = ['primary_key,login_count', `${randomUUID()},1`, 'a,many', 'b,more'].join('\r')
    const rejections = await rejectionsOf(text)
    expect(rejections.map((rejection) => Number.parseInt(rejection, 10))).toEqual([3, 4])
  })

  test('has values with more carriage returns than rows, without quotes', async () => {
    const [key, other] = [randomUUID(), randomUUID()]
    const address = 'a\rb\rc\rd\re'
    const { out, err } = await importText(
      toCsv([
        ['primary_key', 'search_id', 'full_name'],
        [key, key, address],
        [other, other, address],
      ]),
    )
    expect(out, err).toContain('created: 2')
    expect(await nameOf(key)).toBe(address)
  })

  test.each([',', ';', '\t'])('has values separated by %j, and titles as people write them', async (delimiter) => {
    const key = randomUUID()
    await importText(
      toCsv(
        [
          ['Primary Key', 'LOGIN_COUNT', 'messaging-id'],
          [key, '3', `U${key}`],
        ],
        delimiter,
      ),
    )
    expect(await opened.linksOf(key)).toEqual([`messaging U${key}`])
    expect(await opened.find(key)).toMatchObject([{ user: { login_count: 3 } }])
  })

  test.each(['TRUE', 'true', 'Yes', 'y', 'Enabled'])('has a prohibition as %s', async (word) => {
    const key = randomUUID()
    await importText(
      toCsv([
        ['primary_key', 'profile_prohibited'],
        [key, word],
      ]),
    )
    const [found] = await opened.find(key)
    const { profile, call } = opened.managed.serviceStack
    const subject = { site: opened.site, identifier: found?.user.identifier ?? '' }
    expect(await profile.readProhibition(subject, call())).toEqual({ profile_prohibited: true })
  })

  test('has empty rows and trailing commas', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const { out, err } = await importText(`primary_key,search_id,\n${one},,\n,,\n\n${other},,,\n,,\n`)
    expect(out).toContain('created: 2')
    expect(err).toContain('Empty rows: ')
  })

  test('has quoted values with line breaks, quotes and delimiters', async () => {
    const key = randomUUID()
    await importText(`"primary_key","search_id","full_name"\n"${key}","${key}","Ada ""A,\nB"""\n`)
    expect(await nameOf(key)).toBe('Ada "A,\nB"')
  })

  test('has the columns of a profile', async () => {
    const key = randomUUID()
    const header = 'primary_key,search_id,full_name,gender,verified,uri,followed_by,email,phone'
    await importText(
      `${header}\n${key},${key},Ada,2,TRUE,"https://a.example\nhttps://b.example",7,ada@example.com,+81312345678\n`,
    )
    expect(await opened.profileOf(key)).toMatchObject({
      profile: { full_name: 'Ada', gender: 2, verified: true, uri: ['https://a.example', 'https://b.example'] },
      follow: { followed_by: 7 },
      email: [{ email: 'ada@example.com', verified: false }],
      phone: [{ number: '+81312345678' }],
    })
  })

  test('with an unknown column is rejected, and the nearest one is named', async () => {
    const { code, err } = await importText('primery_key,mesaging_id\na,b\n')
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('primery_key (nearest: primary_key), mesaging_id (nearest: messaging_id)'),
    ])
  })

  test('of a Cognito user pool has its users', async () => {
    const sub = randomUUID()
    const header = 'Username,sub,email,email_verified,identities,UserCreateDate,Enabled,UserStatus'
    const identities = `"[{""providerName"":""Google"",""userId"":""${sub}""}]"`
    await importText(
      `${header}\nGoogle_1,${sub},c@example.com,True,${identities},2019-01-01 09:00:00.000000+09:00,True,CONFIRMED\n`,
    )
    expect(await opened.linksOf(sub)).toEqual([`search ${sub}`])
    expect(await opened.find(sub)).toMatchObject([{ user: { created_at: '2019-01-01T00:00:00Z' } }])
  })
})
