import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Unit, UnitKind, WireProtocol } from './wire-protocol.ts'

/**
 * The n-th unit since the proxy was armed, from 1. `before` stops it on its way. `after` lets it through: a statement is
 * executed and its answer is withheld, a sent message reaches the server.
 */
export interface FaultPoint {
  readonly kind: UnitKind
  readonly place: 'before' | 'after'
  readonly n: number
}

export interface ArmedFault extends Disposable {
  /** Resolves with the unit at which the fault happened. */
  readonly fired: Promise<Unit>
  /** The unit at which the fault happened, or undefined. */
  readonly unit: () => Unit | undefined
}

/** A TCP proxy between one process and one of its servers that counts units and fails at one of them. */
export interface CountingProxy extends AsyncDisposable {
  /** The server's URL with the proxy's address. */
  readonly url: string
  /** Cuts the connection at a point, after `onFire`, which may kill the process. Dispose the result to disarm the proxy. */
  readonly arm: (point: FaultPoint, onFire?: () => void) => ArmedFault
  /** Calls the listener with each unit until the result is disposed. */
  readonly observe: (listener: (unit: Unit) => void) => Disposable
}

interface Armed extends FaultPoint {
  count: number
  readonly fire: (unit: Unit) => void
}

/** @param isBackground selects units that are forwarded without being counted, because no request causes them */
export async function startCountingProxy(
  url: string,
  protocol: WireProtocol,
  isBackground: (unit: Unit) => boolean,
): Promise<CountingProxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const listeners = new Set<(unit: Unit) => void>()
  let armed: Armed | undefined

  /** Returns the fault if this unit is the one. */
  const count = (unit: Unit): Armed | undefined => {
    for (const listener of listeners) listener(unit)
    if (armed === undefined || armed.kind !== unit.kind || isBackground(unit) || ++armed.count !== armed.n)
      return undefined
    const reached = armed
    armed = undefined
    return reached
  }

  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const cut = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    /** The fault that happens when the server has executed the current statement. */
    let executing: (() => void) | undefined
    const [splitFromProcess, splitToProcess] = [protocol.fromProcess(), protocol.toProcess()]
    client.on('data', (bytes: Buffer) => {
      for (const { bytes: piece, unit } of splitFromProcess(bytes)) {
        if (client.destroyed) return
        const fault = unit && count(unit)
        if (unit === undefined || fault === undefined) {
          upstream.write(piece)
          continue
        }
        const fire = () => {
          fault.fire(unit)
          cut()
        }
        if (fault.place === 'before') return fire()
        if (unit.kind === 'statement') executing = fire
        upstream.write(piece, executing === undefined ? fire : undefined)
        return
      }
    })
    upstream.on('data', (bytes: Buffer) => {
      for (const { bytes: piece, unit, completes } of splitToProcess(bytes)) {
        if (client.destroyed) return
        const fault = unit && count(unit)
        if (unit !== undefined && fault !== undefined) {
          if (fault.place === 'after') client.write(piece)
          fault.fire(unit)
          return cut()
        }
        if (executing === undefined) client.write(piece)
        else if (completes) return executing()
      }
    })
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  const proxied = new URL(url)
  proxied.hostname = '127.0.0.1'
  // A listening server on TCP has an address.
  proxied.port = String((server.address() as AddressInfo).port)
  return {
    url: proxied.href,
    arm(point, onFire) {
      const fired = Promise.withResolvers<Unit>()
      let firedAt: Unit | undefined
      const own: Armed = {
        ...point,
        count: 0,
        fire(unit) {
          onFire?.()
          firedAt = unit
          fired.resolve(unit)
        },
      }
      armed = own
      return {
        fired: fired.promise,
        unit: () => firedAt,
        [Symbol.dispose]() {
          if (armed === own) armed = undefined
        },
      }
    },
    observe(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
