import { expect, test } from 'vitest'
import { findWrongCommands, readKubectlCommands } from '../documented-commands.ts'

const rendered = `
kind: Deployment
metadata: { name: social-login-identity, labels: { app.kubernetes.io/component: identity } }
spec: { template: { spec: { containers: [{ ports: [{ containerPort: 9090 }] }] } } }
---
kind: Service
metadata: { name: social-login-console }
spec: { ports: [{ port: 80 }] }
`

function check(...commands: readonly string[]) {
  const documented = commands.map((rest) => ({ file: 'page.md', command: `kubectl -n social-login ${rest}` }))
  return findWrongCommands(rendered, documented)
}

test('commands that fit the release are right', () => {
  const right = [
    'get pods -l app.kubernetes.io/component=identity',
    'logs -l app.kubernetes.io/component=identity --tail=-1',
    'logs deploy/social-login-identity',
    'port-forward deploy/social-login-identity 9090:9090',
    'port-forward service/social-login-console 8085:80',
    'get pods -l app.kubernetes.io/name=nats',
    'logs job/<job_name>',
  ]
  expect(check(...right)).toEqual([])
})

test.each([
  ['logs deploy/social-login-profile', 'There is no deploy/social-login-profile.'],
  [
    'get pods -l app.kubernetes.io/component=providerAuth',
    'No object has the label app.kubernetes.io/component=providerAuth.',
  ],
  ['port-forward service/social-login-console 8085:8085', 'It has no port 8085, only 80.'],
  ['logs -l app.kubernetes.io/component=identity', 'Without --tail, kubectl shows ten lines of each pod.'],
  ['scale deploy/social-login-identity --replicas=0', 'Helm 4 rejects the next upgrade: change replicas by values.'],
])('%s is wrong', (command, problem) => {
  expect(check(command)).toEqual([`page.md: kubectl -n social-login ${command}\n  ${problem}`])
})

test('the commands of the documentation are found, also those on several lines', () => {
  const commands = readKubectlCommands()
  expect(commands.length).toBeGreaterThan(50)
  expect(commands.every(({ command }) => !/[\n\\]/.test(command))).toBe(true)
})
