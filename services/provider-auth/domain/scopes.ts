/** Scopes an application can ask for (specification, authorization endpoint); any other is undefined. */
export const scopes = ['openid', 'profile', 'email', 'address', 'phone'] as const
export type Scope = (typeof scopes)[number]
