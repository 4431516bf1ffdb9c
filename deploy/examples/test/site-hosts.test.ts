import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { parseHostPattern } from '../../../services/provider-auth/hosts/host-pattern.ts'

const Gateway = z.object({
  kind: z.literal('Gateway'),
  spec: z.object({
    listeners: z.array(
      z.object({
        protocol: z.enum(['HTTP', 'HTTPS']),
        hostname: z.string().optional(),
        tls: z.object({ certificateRefs: z.tuple([z.object({ name: z.string() })]) }).optional(),
        allowedRoutes: z.object({ namespaces: z.object({ from: z.string() }) }),
      }),
    ),
  }),
})
const Certificate = z.object({
  kind: z.literal('Certificate'),
  spec: z.object({ secretName: z.string(), dnsNames: z.array(z.string()) }),
})

const read = (name: string) => readFileSync(`deploy/examples/${name}`, 'utf8')
const text = read('site-hosts-gateway.yaml')
const listeners = readObjects(text, Gateway).flatMap(({ spec }) => spec.listeners)
const certificates = readObjects(read('site-hosts-certificates.yaml'), Certificate)

function readObjects<T>(documents: string, schema: z.ZodType<T>): T[] {
  return parseAllDocuments(documents).flatMap((document) => schema.safeParse(document.toJSON()).data ?? [])
}

/** The names of the certificate of a listener. */
function findNames(hostname: string): readonly string[] | undefined {
  const secret = listeners.find((listener) => listener.hostname === hostname)?.tls?.certificateRefs[0].name
  return certificates.find(({ spec }) => spec.secretName === secret)?.spec.dnsNames
}

test('the certificate of a host of a site is for the host of its listener', () => {
  expect(findNames('login.shop.example.net')).toEqual(['login.shop.example.net'])
})

test('no route of the product can be attached to the listener without TLS', () => {
  const plain = listeners.filter(({ protocol }) => protocol === 'HTTP')
  expect(plain.map(({ allowedRoutes }) => allowedRoutes.namespaces.from)).toEqual(['Same'])
})

test('the wildcards of the listener and of its certificate cover the hosts of the pattern', () => {
  const [, setting = ''] = /siteHostPattern: "(.*?)"/.exec(text) ?? []
  const host = parseHostPattern(setting)?.build({ account: 'acme', site_id: 'shop' })
  // Gateway API: the wildcard is one label or more.
  expect(host).toMatch(/\.login\.example\.com$/)
  // RFC 6125 6.4.3: the wildcard is one label.
  expect(findNames('*.login.example.com')).toContain(host?.replace(/^[^.]+/, '*'))
})
