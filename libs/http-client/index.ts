export * from './address-rules.ts'
export * from './connector.ts'
export * from './errors.ts'
export * from './public-addresses.ts'
