import { readFile } from 'node:fs/promises'
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { z } from 'zod'
import { UserErasure } from '#contracts'
import { CliError } from '../cli-error.ts'
import { getErrorCode } from '../error-code.ts'
import { parseFormat } from '../format.ts'
import type { Io } from '../io.ts'
import { printResponse } from '../print.ts'

/** Parsed by commander, with those of the program. */
interface VerifyOptions extends Readonly<Record<string, unknown>> {
  readonly jwks: string
  readonly issuer?: string
}

const Claims = z.object({ iss: z.string(), jti: z.string(), iat: z.number(), erasure: UserErasure })

/** Verifies a receipt with a key set, both from files. @throws CliError `differs` if the receipt is not genuine */
export async function verifyReceipt(file: string, options: VerifyOptions, io: Io): Promise<void> {
  const receipt = extractReceipt(await readText(file, 'The receipt'))
  const keys = parseKeys(await readText(options.jwks, 'The key set'), options.jwks)
  const claims = await verify(receipt, keys, options.issuer)
  if (parseFormat(options) !== 'table') return printResponse(claims, options, io)
  const { account, site_id, identifier, deleted_at, services } = claims.erasure
  io.print(`The receipt is genuine: ${claims.iss} signed it at ${new Date(claims.iat * 1_000).toISOString()}.\n`)
  io.print(`User ${identifier} of ${account}/${site_id} was deleted at ${deleted_at}.\n`)
  for (const { service, erased_at, deleted } of services) {
    const counts = Object.entries(deleted).map(([kind, count]) => `${kind} ${count}`)
    io.print(`  ${service} at ${erased_at}: ${counts.join(', ')}\n`)
  }
}

async function verify(receipt: string, keys: JSONWebKeySet, issuer: string | undefined) {
  try {
    const { payload } = await jwtVerify(receipt, createLocalJWKSet(keys), {
      algorithms: ['ES256'],
      typ: 'erasure-receipt+jwt',
      ...(issuer !== undefined && { issuer }),
    })
    return Claims.parse(payload)
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? 'it does not have the claims of a receipt' : getErrorCode(cause)
    throw new CliError(
      'differs',
      `The receipt is not genuine (${reason}). Compare the file and the key set with those that you stored.`,
      { cause },
    )
  }
}

async function readText(path: string, what: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    const message = `${what} ${path} cannot be read (${getErrorCode(cause)}). Check the path.`
    throw new CliError('usage', message, { cause })
  })
}

/** The receipt, or the field `receipt` of a JSON object. */
function extractReceipt(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) return trimmed
  const parsed = z.object({ receipt: z.string() }).safeParse(parseJson(trimmed))
  if (parsed.success) return parsed.data.receipt
  throw new CliError(
    'usage',
    'The file has no receipt. It is complete when no service is pending: read it again later.',
  )
}

function parseKeys(text: string, path: string): JSONWebKeySet {
  const parsed = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new CliError('usage', `${path} is no JSON Web Key Set. Store the response of /oauth2/jwks in it.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
