import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { AddressBlocked, createCheckedLookup } from './public-addresses.ts'

/** The end of a TLS connection that does not show that the receiver read everything. */
export class NotConfirmed extends Error {
  override readonly name = 'NotConfirmed'
  constructor(why: string) {
    super(`The receiver did not confirm: ${why}.`)
  }
}

/** A server, and how it and the client prove who they are. Certificates and keys are PEM. */
export interface TlsTarget {
  readonly host: string
  readonly port: number
  /** Instead of the authorities that are generally trusted. */
  readonly ca: string | null
  readonly certificate: string | null
  readonly privateKey: string | null
}

/** How long a receiver that refuses gets to close the connection before we do. Our choice. */
const settleMs = 300

interface TlsOptions {
  /** Whether an address may be connected to. Names are resolved, and checked, at each connection. */
  readonly isAllowed: (address: string) => boolean
  /** From connecting to the close of the connection. */
  readonly timeoutMs: number
  /** Ends the connection. */
  readonly signal: AbortSignal
}

/**
 * Sends bytes in one direction over a new TLS connection, and closes it. A receiver closes its side after ours, when it has read
 * everything (RFC 5425, section 4.4), so the returned promise resolves only then.
 *
 * @throws NotConfirmed if the receiver did not close the connection, or closed it first
 */
export function sendOverTls(
  { host, port, ca, certificate, privateKey }: TlsTarget,
  bytes: Buffer,
  { isAllowed, timeoutMs, signal }: TlsOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (isIP(host) !== 0 && !isAllowed(host)) return reject(new AddressBlocked('the address is not public'))
    const deadline = AbortSignal.timeout(timeoutMs)
    let isSent = false
    let isConfirmed = false
    let settling: NodeJS.Timeout | undefined
    const socket = connect({
      host,
      port,
      // SNI must not be an address (RFC 6066, section 3).
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== null && { ca }),
      ...(certificate !== null && privateKey !== null && { cert: certificate, key: privateKey }),
      lookup: createCheckedLookup(isAllowed),
    })
    const stop = () => {
      const isWaiting = isSent && deadline.aborted
      socket.destroy(isWaiting ? new NotConfirmed('it did not close the connection in time') : deadline.reason)
    }
    deadline.addEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    const close = () => {
      isSent = true
      socket.end()
    }
    socket.once('secureConnect', () =>
      socket.write(bytes, () => {
        settling = setTimeout(close, settleMs)
      }),
    )
    socket.once('end', () => {
      isConfirmed = isSent
    })
    socket.once('error', reject)
    socket.once('close', () => {
      deadline.removeEventListener('abort', stop)
      signal.removeEventListener('abort', stop)
      clearTimeout(settling)
      if (isConfirmed) resolve()
      else reject(new NotConfirmed('it closed the connection first'))
    })
    // What the receiver sends has no meaning, but its end does.
    socket.resume()
  })
}
