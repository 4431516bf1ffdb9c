import type { ProviderData } from '#contracts'

/**
 * Maps a provider's data to the claims of the granted scopes (OpenID Connect Core 5.1 and 5.4). Data that the provider
 * did not send is absent.
 *
 * @param obtainedAt when the provider sent the data, which is when we last updated it
 */
export function toClaims(data: ProviderData, scope: readonly string[], obtainedAt: Date): Record<string, unknown> {
  const granted = new Set(scope)
  return {
    ...(granted.has('profile') && profileClaims(data.profile, obtainedAt)),
    ...(granted.has('email') && emailClaims(data.email)),
    ...(granted.has('address') && addressClaims(data.profile)),
    ...(granted.has('phone') && phoneClaims(data.phone)),
  }
}

function profileClaims(profile: ProviderData['profile'], obtainedAt: Date): Record<string, unknown> {
  const claims = omitAbsent({
    name: profile.full_name ?? profile.user_name,
    given_name: profile.first_name,
    family_name: profile.last_name,
    middle_name: profile.middle_name,
    ...japaneseNameClaims(profile),
    nickname: profile.user_name,
    preferred_username: profile.user_name,
    picture: profile.image_url,
    website: profile.website?.[0],
    gender: genders.get(profile.gender ?? 0),
    birthdate: profile.birthday,
  })
  const updatedAt = Math.floor(obtainedAt.getTime() / 1_000)
  return Object.keys(claims).length === 0 ? claims : { ...claims, updated_at: updatedAt }
}

/** The scripts of Japanese names, as the tag of claims and the suffix of profile fields. */
const japaneseScripts = [
  ['ja-Kana-JP', 'kana'],
  ['ja-Hani-JP', 'kanji'],
] as const

/** Names in kana and kanji, e.g. `family_name#ja-Kana-JP` (OpenID Connect Core 5.2). */
function japaneseNameClaims(profile: ProviderData['profile']): Record<string, unknown> {
  const claims = japaneseScripts.flatMap(([tag, suffix]) => [
    [`name#${tag}`, profile[`full_name_${suffix}`]],
    [`given_name#${tag}`, profile[`first_name_${suffix}`]],
    [`family_name#${tag}`, profile[`last_name_${suffix}`]],
    [`middle_name#${tag}`, profile[`middle_name_${suffix}`]],
  ])
  return Object.fromEntries(claims)
}

const genders = new Map([
  [1, 'male'],
  [2, 'female'],
  [3, 'other'],
])

function emailClaims([first]: ProviderData['email']): Record<string, unknown> {
  return first === undefined ? {} : { email: first.email, email_verified: first.verified }
}

function addressClaims(profile: ProviderData['profile']): Record<string, unknown> {
  const address = omitAbsent({
    postal_code: profile.postal_code,
    region: profile.prefecture,
    locality: profile.city,
    street_address: profile.street,
  })
  return Object.keys(address).length === 0 ? {} : { address }
}

function phoneClaims([first]: ProviderData['phone']): Record<string, unknown> {
  return first === undefined ? {} : { phone_number: first.number, phone_number_verified: first.verified }
}

function omitAbsent(claims: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined && value !== null))
}
