import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { root } from '../../local/settings.ts'
import { charts } from '../generate.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const Chart = z.object({
  apiVersion: z.literal('v2'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  appVersion: z.string(),
  kubeVersion: z.string().startsWith('>='),
  dependencies: z.undefined().optional(),
})

test.each(charts)('%s states its version and the Kubernetes version, and has no dependencies', (chart) => {
  Chart.parse(parse(read(`${chart}/Chart.yaml`)))
})

test('the product’s chart renders the same objects for the same values, without randomness, time or a cluster', () => {
  for (const path of globSync('charts/social-login/templates/**', { cwd: root, withFileTypes: true })) {
    if (!path.isFile()) continue
    const text = readFileSync(join(path.parentPath, path.name), 'utf8')
    expect(text, path.name).not.toMatch(/\b(now|lookup|uuidv4|genCA|gen\w+Cert|htpasswd|rand\w+)\b|\.Capabilities/)
  }
})

test('the product’s chart contains no cluster-scoped objects, such as definitions or roles', () => {
  expect(existsSync(join(root, 'charts/social-login/crds'))).toBe(false)
  for (const path of globSync('charts/social-login/templates/*.yaml', { cwd: root })) {
    expect(read(path)).not.toMatch(
      /^kind: (Cluster\w*|Role|RoleBinding|CustomResourceDefinition|Namespace|\w+Webhook\w*)$/m,
    )
  }
})
