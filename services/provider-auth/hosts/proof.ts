import { type HostProblem, hostProofPath } from '#contracts'
import { createTxtFinder, type FindTxtRecord } from '#http-client'
import type { FindProof } from '../domain/hosts.ts'
import type { SiteHostRow } from '../store/site-hosts.ts'
import type { PublicFileReader } from '../upstream/http-client/public-file.ts'

/** The name of the TXT record of a host; below it, because a host with a CNAME can have no other record (RFC 1034 3.6.2). */
export function txtNameOf(host: string): string {
  return `_social-login.${host}`
}

/** What the TXT record and the file contain. */
export function proofOf({ token }: Pick<SiteHostRow, 'token'>): string {
  return `social-login-host=${token}`
}

/** Where the file with the proof is. It is requested without TLS, since a new host may have no certificate. */
export function fileUrlOf(host: string): string {
  return `http://${host}${hostProofPath}`
}

interface ProofOptions {
  /** DNS servers; empty: those of the machine. */
  readonly dnsServers: readonly string[]
  readonly fileReader: PublicFileReader
}

/** Finds a proof in the DNS, else over HTTP. */
export function createProofFinder({ dnsServers, fileReader }: ProofOptions): FindProof {
  const findTxtRecord = createTxtFinder(dnsServers)
  return async (host) => {
    const inDns = await findInDns(host, findTxtRecord)
    if (inDns === undefined) return []
    const inFile = await findInFile(host, fileReader)
    return inFile === undefined ? [] : [inDns, inFile]
  }
}

async function findInDns(
  { host, token }: Parameters<FindProof>[0],
  findTxtRecord: FindTxtRecord,
): Promise<HostProblem | undefined> {
  const state = await findTxtRecord(txtNameOf(host), proofOf({ token }))
  return problemsInDns[state]
}

const problemsInDns = {
  found: undefined,
  different: 'txt_different',
  missing: 'txt_missing',
  unavailable: 'dns_unavailable',
} as const

async function findInFile(
  { host, token }: Parameters<FindProof>[0],
  { read }: PublicFileReader,
): Promise<HostProblem | undefined> {
  const file = await read(fileUrlOf(host))
  if (file === 'address_missing') return file
  if (file === 'unreachable' || file.status !== 200) return 'file_missing'
  return file.text.trim() === proofOf({ token }) ? undefined : 'file_different'
}
