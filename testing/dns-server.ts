import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'

/** A DNS server with the TXT records that a test sets. */
export interface DnsServer extends AsyncDisposable {
  /** Address and port. */
  readonly address: string
  /** Sets the TXT records of a name; none: the name does not exist. */
  readonly setTxt: (name: string, values: readonly string[]) => void
  /** Whether the server responds. */
  readonly setResponding: (isResponding: boolean) => void
}

/** Starts a DNS server on a free port of this machine. */
export async function startDnsServer(): Promise<DnsServer> {
  const records = new Map<string, readonly string[]>()
  let isResponding = true
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    if (!isResponding) return
    const { id, questions = [] } = decode(message)
    const name = questions[0]?.name ?? ''
    const values = records.get(name.toLowerCase()) ?? []
    const answers = values.map((data) => ({ type: 'TXT', name, ttl: 0, data }) as const)
    // 3: the name does not exist (RFC 1035 4.1.1).
    const flags = values.length === 0 ? 3 : 0
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    setTxt(name, values) {
      if (values.length === 0) records.delete(name)
      else records.set(name, values)
    },
    setResponding: (value) => {
      isResponding = value
    },
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}
