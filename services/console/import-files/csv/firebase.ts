/** The columns of `firebase auth:export users.csv`, which has no header (Firebase CLI reference, CSV file format). */
const columns = {
  localId: 0,
  email: 1,
  emailVerified: 2,
  displayName: 5,
  photoUrl: 6,
  createdAt: 23,
  lastSignedInAt: 24,
  phoneNumber: 25,
  disabled: 26,
}
/** Where the four columns of each provider begin: ID, e-mail address, name, picture. */
const providers = { 'google.com': 7, 'facebook.com': 11, 'twitter.com': 15, 'github.com': 19 }

/** Whether a row has the columns of the file: at least 26, a boolean and a time in milliseconds. */
export function isFirebaseRow(row: readonly string[]): boolean {
  return row.length >= 26 && /^(true|false)$/i.test(row[2] ?? '') && /^\d{12,13}$/.test(row[23] ?? '')
}

/** Converts a row to a user as `firebase auth:export` writes it in JSON. */
export function readFirebaseRow(row: readonly string[]): object {
  const fields = Object.entries(columns).map(([name, at]) => [name, row[at] ?? ''])
  const accounts = Object.entries(providers).flatMap(([providerId, at]) => {
    const [rawId = '', email = '', displayName = '', photoUrl = ''] = row.slice(at, at + 4)
    return rawId === '' ? [] : [{ providerId, rawId, email, displayName, photoUrl }]
  })
  return { ...Object.fromEntries(fields), providerUserInfo: accounts }
}
