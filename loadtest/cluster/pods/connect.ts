// Tries connections from a pod; the last argument is JSON, `[{"to": "host:port", "allowed": true}, …]`. Prints a line for each that is
// not as expected after 30 seconds, because a network plugin enforces policies a moment after they change.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Target {
  readonly to: string
  readonly allowed: boolean
}

const until = Date.now() + 30_000

/** How network plugins deny a connection: they drop or reject its packets. Other errors, such as an unknown name, are none. */
const denials = ['no answer', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EACCES', 'EPERM', 'ETIMEDOUT']

function tryConnection(to: string): Promise<string> {
  const [host, port] = to.split(':')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: 2_000 })
    const end = (result: string) => {
      socket.destroy()
      resolve(result)
    }
    socket.on('connect', () => end('connected'))
    socket.on('timeout', () => end('no answer'))
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}

async function check({ to, allowed }: Target): Promise<void> {
  for (;;) {
    const result = await tryConnection(to)
    if ((allowed ? ['connected'] : denials).includes(result)) return
    if (Date.now() > until) return console.log(`${to}: ${result}, but should ${allowed ? 'connect' : 'be denied'}`)
    await sleep(500)
  }
}

const targets: readonly Target[] = JSON.parse(process.argv.at(-1) ?? '')
await Promise.all(targets.map(check))
