import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A certificate authority for a test, with its certificates. */
export interface Authority {
  readonly ca_file: string
  /** Issues a certificate with its key for a server of this name. */
  readonly certify: (name: string) => { readonly cert_file: string; readonly key_file: string }
}

export function createAuthority(directory: string): Authority {
  mkdirSync(directory, { recursive: true })
  const file = (name: string) => join(directory, name)
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' })
  const freshKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  openssl('req', '-x509', ...freshKey, '-subj', '/CN=authority', '-keyout', file('ca.key'), '-out', file('ca.crt'))
  return {
    ca_file: file('ca.crt'),
    certify(name) {
      const [certFile, keyFile] = [file(`${name}.crt`), file(`${name}.key`)]
      openssl(
        'req',
        '-x509',
        ...freshKey,
        '-CA',
        file('ca.crt'),
        '-CAkey',
        file('ca.key'),
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=DNS:${name}`,
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        '-keyout',
        keyFile,
        '-out',
        certFile,
      )
      return { cert_file: certFile, key_file: keyFile }
    },
  }
}
