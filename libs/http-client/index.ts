export * from './connector.ts'
export * from './public-addresses.ts'
