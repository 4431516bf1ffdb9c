export * from './send-webhook.ts'
export * from './signature.ts'
