import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isCodeVerifierValid, toStoredChallenge } from './pkce.ts'

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const s256 = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' } as const
const none = { code_challenge: null, code_challenge_method: null }

const plain = (codeChallenge: string) => ({ code_challenge: codeChallenge, code_challenge_method: 'plain' }) as const
const s256Of = (text: string) => ({ ...s256, code_challenge: createHash('sha256').update(text).digest('base64url') })

test('the verifier of RFC 7636 appendix B matches its S256 challenge, no other does', () => {
  expect(isCodeVerifierValid(verifier, s256)).toBe(true)
  expect(isCodeVerifierValid(verifier.replace('d', 'e'), s256)).toBe(false)
  expect(isCodeVerifierValid(s256.code_challenge, s256)).toBe(false)
})

test('a plain challenge matches an equal verifier', () => {
  expect(isCodeVerifierValid(verifier, plain(verifier))).toBe(true)
  expect(isCodeVerifierValid(`${verifier}x`, plain(verifier))).toBe(false)
  expect(isCodeVerifierValid(verifier, plain(s256.code_challenge))).toBe(false)
})

test('a stored challenge matches the same verifiers, but is not equal to one', () => {
  for (const challenge of [plain(verifier), s256]) {
    const stored = toStoredChallenge(challenge)
    expect(isCodeVerifierValid(verifier, stored)).toBe(true)
    expect(isCodeVerifierValid(`${verifier}x`, stored)).toBe(false)
    expect(stored.code_challenge).not.toBe(verifier)
  }
  expect(toStoredChallenge(none)).toEqual(none)
})

test('a challenge without a verifier is rejected', () => {
  expect(isCodeVerifierValid(undefined, s256)).toBe(false)
  expect(isCodeVerifierValid(undefined, plain(verifier))).toBe(false)
})

test.each([
  ['42 characters', 'a'.repeat(42), false],
  ['43 characters', 'a'.repeat(43), true],
  ['128 characters', 'a'.repeat(128), true],
  ['129 characters', 'a'.repeat(129), false],
  ['every unreserved kind', 'aZ09-._~'.repeat(6), true],
  ['a plus', `${'a'.repeat(43)}+`, false],
  ['an equals sign', `${'a'.repeat(43)}=`, false],
  ['a slash', `${'a'.repeat(43)}/`, false],
  ['a line break at the end', `${'a'.repeat(43)}\n`, false],
])('the grammar is checked before hashing: %s, %j: %s', (_, candidate, fits) => {
  expect(isCodeVerifierValid(candidate, s256Of(candidate))).toBe(fits)
  expect(isCodeVerifierValid(candidate, plain(candidate))).toBe(fits)
})

test('a verifier without a challenge is rejected; neither is accepted', () => {
  expect(isCodeVerifierValid(verifier, none)).toBe(false)
  expect(isCodeVerifierValid(undefined, none)).toBe(true)
})
