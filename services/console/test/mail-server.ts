import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

/** An e-mail that a mail server received. */
export interface ReceivedEmail {
  readonly to: readonly string[]
  readonly subject: string
  readonly message_id: string
  readonly text: string
  readonly html: string
}

/** A mail server that requires a user name and password, and stores what it receives. */
export interface MailServerDouble extends AsyncDisposable {
  /** The setting `SMTP_URL`. */
  readonly url: string
  readonly received: ReceivedEmail[]
  /** Called when a message was received, before it is accepted; throws to reject it. */
  onMessage: (email: ReceivedEmail) => Promise<void>
}

export async function startMailServer(): Promise<MailServerDouble> {
  const received: ReceivedEmail[] = []
  const double = { received, onMessage: async (_: ReceivedEmail) => {} }
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _, callback) {
      if (username === 'console' && password === 'pass:word') callback(null, { user: username })
      else callback(new Error('wrong credentials'))
    },
    onData(stream, { envelope }, callback) {
      readAll(stream)
        .then(async (raw) => {
          const email = parseEmail(
            raw,
            envelope.rcptTo.map(({ address }) => address),
          )
          received.push(email)
          await double.onMessage(email)
          callback()
        })
        .catch(callback)
    },
  })
  // Connections that the client resets are no failure of the test.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this type.
  const { port } = server.server.address() as AddressInfo
  return Object.assign(double, {
    url: `smtp://console:${encodeURIComponent('pass:word')}@127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  })
}

async function readAll(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

/** Parses what nodemailer writes: one level of parts, with folded headers. */
function parseEmail(raw: string, to: readonly string[]): ReceivedEmail {
  const { headers, body } = splitHead(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? ''
  const parts = body.split(`--${boundary}`).map(splitHead)
  const find = (type: string) => {
    const part = parts.find((one) => one.headers.includes(type))
    return part === undefined ? '' : decodeBody(part)
  }
  return {
    to,
    subject: decodeWords(/^subject: (.*)$/im.exec(headers)?.[1] ?? ''),
    message_id: /^message-id: <(.*)>$/im.exec(headers)?.[1] ?? '',
    text: find('text/plain'),
    html: find('text/html'),
  }
}

function splitHead(text: string): { headers: string; body: string } {
  const [head = '', ...rest] = text.replace(/^\r\n/, '').split('\r\n\r\n')
  return { headers: head.replaceAll(/\r\n[ \t]+/g, ' '), body: rest.join('\r\n\r\n') }
}

function decodeBody({ headers, body }: { headers: string; body: string }): string {
  if (/encoding: base64/i.test(headers)) return Buffer.from(body, 'base64').toString('utf8')
  return /encoding: quoted-printable/i.test(headers) ? decodeQuoted(body.replaceAll('=\r\n', '')) : body
}

/** Decodes encoded words of a header (RFC 2047). */
function decodeWords(header: string): string {
  return header
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')),
    )
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
