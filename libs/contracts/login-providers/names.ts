const names = ['messaging', 'portal', 'social', 'search', 'search_legacy', 'device', 'microblog', 'shopping'] as const

/** A provider that is part of the product. */
export type BuiltInProvider = (typeof names)[number]

/**
 * Every provider, in the order of the specification's table ("Neutral tokens"). The names are apart from the descriptions, so that a
 * page can have them alone.
 */
export const builtInProviders: readonly BuiltInProvider[] = names
