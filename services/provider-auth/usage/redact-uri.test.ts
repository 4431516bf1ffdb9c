import { expect, test } from 'vitest'
import { redactUri } from './redact-uri.ts'

test.each([
  ['https://app.example/cb?session=s3cret&x=1', 'https://app.example/cb?session&x'],
  ['https://app.example/cb#id_token=s3cret', 'https://app.example/cb#'],
  ['https://user:s3cret@app.example/cb', 'https://app.example/cb'],
  ['https://user:one@s3cret@app.example/cb', 'https://app.example/cb'],
  ['https://app.example/@shop/cb', 'https://app.example/@shop/cb'],
  ['com.example.app:/callback', 'com.example.app:/callback'],
  ['no address\n', 'no address?'],
])('%j is shown as %j', (received, shown) => expect(redactUri(received)).toBe(shown))
