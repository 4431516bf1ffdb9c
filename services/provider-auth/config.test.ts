import { describe, expect, test } from 'vitest'
import { readConfig, rejectSimulatorInProduction } from './config.ts'

const usual = {
  DATABASE_URL: 'postgres://localhost/provider_auth',
  NATS_URL: 'nats://localhost',
  REDIS_URL: 'redis://localhost',
  AUTH_URL: 'https://login.example.com',
}
const start = (environment: Record<string, string>) =>
  rejectSimulatorInProduction(readConfig({ ...usual, ...environment }))

describe('AUTH_URL', () => {
  test.each([
    'https://login.example.com',
    'http://localhost:8081',
    'http://127.0.0.1:8081',
    'http://[::1]:8081',
    'http://login.localhost',
  ])('%s is accepted', (authUrl) => expect(() => start({ AUTH_URL: authUrl })).not.toThrow())
  test.each([
    'http://login.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://192.0.2.1',
  ])('%s is rejected', (authUrl) =>
    expect(() => start({ AUTH_URL: authUrl })).toThrow('AUTH_URL is wrong: must use https, except on localhost'),
  )
})

describe('PROVIDER_SIMULATOR_URL', () => {
  const providerSimulatorUrl = 'http://localhost:8090'
  test.each([{}, { NODE_ENV: 'production' }, { NODE_ENV: 'staging' }, { ALLOW_PROVIDER_SIMULATOR: 'no' }])(
    'is rejected with %j',
    (more) =>
      expect(() => start({ PROVIDER_SIMULATOR_URL: providerSimulatorUrl, ...more })).toThrow(
        'set ALLOW_PROVIDER_SIMULATOR=yes',
      ),
  )
  test.each([
    { NODE_ENV: 'development' },
    { NODE_ENV: 'test' },
    { NODE_ENV: 'production', ALLOW_PROVIDER_SIMULATOR: 'yes' },
  ])('is accepted with %j', (more) =>
    expect(() => start({ PROVIDER_SIMULATOR_URL: providerSimulatorUrl, ...more })).not.toThrow(),
  )
})
