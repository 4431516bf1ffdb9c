export const signingAlgorithms = ['RS256', 'ES256'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]
