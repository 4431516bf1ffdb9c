import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type ProfileItem, type ProviderData, type ProviderOptions, socialPermissions } from '#contracts'
import type { OAuth2Description, Refusal } from './oauth2-description.ts'
import { text } from './text.ts'

/** The Graph API's version, in the path of every address. One is served for two years at least. */
const version = 'v26.0'
const graph = `https://graph.facebook.com/${version}`

/** Facebook Login. */
export const social: OAuth2Description = {
  provider: 'social',
  manifest: {
    service: `Facebook Login, Graph API ${version}`,
    protocol: 'OAuth 2.0',
    id_token_alg: null,
    email: 'never: the provider does not say',
    access_token: '60 days',
    refresh: 'by nobody but the person: a token that has ended is replaced at the next login',
    leaving: 'the person’s permissions are deleted, which removes the application',
    quirks: [
      'A person may decline the e-mail address, or have none, and is not asked for it again.',
      'Age range, birthday, gender, link, location and hometown come with permissions that the provider has to approve; the site’s option `permissions` names them.',
      'A person’s id is another one for each application of the provider.',
      'Browsers may come back with the fragment `#_=_`.',
      'It tells when a person removes the application or wants their data deleted.',
    ],
  },
  issuer: 'https://www.facebook.com',
  endpoints: {
    authorization: `https://www.facebook.com/${version}/dialog/oauth`,
    token: `${graph}/oauth/access_token`,
  },
  // Documented for its OpenID Connect variant alone, which is being tested.
  pkce: false,
  always: {},
  passes: {},
  // What a person once declined could be asked again by `rerequest`; `consent` is for messaging alone.
  prompts: { login: { auth_type: 'reauthenticate' } },
  scopeSeparator: ',',
  // The provider grants `public_profile` in any case.
  scopesToAsk: (granted, { options }) => [
    'public_profile',
    ...(granted.includes('email') ? ['email'] : []),
    ...(granted.includes('profile') ? approvedPermissions(options) : []),
  ],
  person: {
    endpoint: `${graph}/me`,
    // A field is left out of the answer when its permission is not granted.
    parameters: (requested, { options }) => ({
      fields: [
        'id',
        ...(requested.includes('full_name')
          ? [...profileFields, ...approvedPermissions(options).map((permission) => permissions[permission].field)]
          : []),
        ...(requested.includes('email') ? ['email'] : []),
      ].join(','),
    }),
    read(answer, { options }) {
      const told = Told.parse(answer)
      const approved = approvedPermissions(options)
      const notObtained = socialPermissions
        .filter((permission) => !approved.includes(permission))
        .flatMap((permission) => permissions[permission].items)
      return { provider_user_id: told.id, data: { ...toProviderData(told), not_obtained: notObtained } }
    },
  },
  proof: (accessToken, { client_secret }) => ({
    appsecret_proof: createHmac('sha256', client_secret).update(accessToken).digest('hex'),
  }),
  exchange: { grant_type: 'fb_exchange_token', parameter: 'fb_exchange_token', shortSeconds: 86_400 },
  deauthorization: `${graph}/me/permissions`,
  readRefusal,
}

const profileFields = ['name', 'first_name', 'middle_name', 'last_name', 'picture.type(large)']

/** The field that each permission opens, and the items made of it. */
const permissions: Readonly<
  Record<(typeof socialPermissions)[number], { readonly field: string; readonly items: readonly ProfileItem[] }>
> = {
  user_age_range: { field: 'age_range', items: ['age_range_min', 'age_range_max'] },
  user_birthday: { field: 'birthday', items: ['birthday'] },
  user_gender: { field: 'gender', items: ['gender'] },
  user_hometown: { field: 'hometown', items: ['hometown', 'hometown_id'] },
  user_link: { field: 'link', items: ['uri'] },
  user_location: { field: 'location', items: ['location', 'location_id'] },
}

function approvedPermissions({ permissions: approved = '' }: ProviderOptions) {
  const names = approved.split(',')
  return socialPermissions.filter((permission) => names.includes(permission))
}

const years = z.int().nonnegative().optional().catch(undefined)
const place = z.object({ id: text, name: text }).partial().catch({}).default({})

const Told = z.object({
  id: z.string(),
  name: text,
  first_name: text,
  middle_name: text,
  last_name: text,
  email: text,
  picture: z
    .object({ data: z.object({ url: text, is_silhouette: z.unknown().optional() }) })
    .optional()
    .catch(undefined),
  age_range: z.object({ min: years, max: years }).catch({}).default({}),
  birthday: text,
  gender: text,
  link: text,
  location: place,
  hometown: place,
})

function toProviderData(told: z.output<typeof Told>): ProviderData {
  const { picture, age_range, location, hometown } = told
  return {
    profile: {
      full_name: told.name,
      first_name: told.first_name,
      middle_name: told.middle_name,
      last_name: told.last_name,
      // A silhouette is the picture of those who have none.
      image_url: picture?.data.is_silhouette === true ? undefined : picture?.data.url,
      age_range_min: age_range.min,
      age_range_max: age_range.max,
      birthday: readBirthday(told.birthday),
      gender: genders.get(told.gender),
      ...(told.link !== undefined && { uri: [told.link] }),
      location: location.name,
      location_id: location.id,
      hometown: hometown.name,
      hometown_id: hometown.id,
    },
    follow: null,
    email: told.email === undefined ? [] : [{ email: told.email, verified: false }],
    phone: [],
  }
}

const genders = new Map<string | undefined, number>([
  ['male', 1],
  ['female', 2],
])

/** Of `MM/DD/YYYY`; a person may hide the year, or all but the year, and then there is no birthday. */
function readBirthday(told: string | undefined): string | undefined {
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(told ?? '') ?? []
  return z.iso.date().safeParse(`${year}-${month}-${day}`).data
}

const GraphError = z.object({ error: z.object({ type: z.string(), code: z.int() }) })

/** Access token, session and login that are over, whatever the reason. */
const overCodes: ReadonlySet<number> = new Set([102, 190])

/** The Graph API's own error object, e.g. `{"error": {"message": …, "type": "OAuthException", "code": 190}}`. */
function readRefusal(answer: unknown): Refusal | undefined {
  const { data } = GraphError.safeParse(answer)
  return data && { error: `${data.error.type}_${data.error.code}`, grantIsOver: overCodes.has(data.error.code) }
}
