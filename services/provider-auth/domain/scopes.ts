/** The scopes that an application can request (specification, authorization endpoint); all others are invalid. */
export const scopes = ['openid', 'profile', 'email', 'address', 'phone'] as const
export type Scope = (typeof scopes)[number]
