export const signingAlgorithms = ['RS256', 'ES256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** The hash that each algorithm signs (RFC 7518 3.1). */
export const signedHashes = { RS256: 'sha256', ES256: 'sha256' } as const satisfies Record<SigningAlgorithm, string>
