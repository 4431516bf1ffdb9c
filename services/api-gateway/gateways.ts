import { randomUUID } from 'node:crypto'
import type { Registry } from 'prom-client'
import { type Bus, listen, publish } from '#bus'
import { apiGateway } from '#contracts'
import { createGauge, type Logger } from '#runtime'

/** How many gateways serve, this one among them. */
export interface Gateways extends Disposable {
  readonly count: () => number
}

const told_every_ms = 1_000
/** A gateway unheard for so long serves no more. Our choice. */
const forgotten_after_ms = 3_500

/** Tells every second that this gateway serves, and hears the others tell it. */
export function countGateways(bus: Bus, { logger, registry }: { logger: Logger; registry: Registry }): Gateways {
  const self = randomUUID()
  const heard_at = new Map<string, number>([[self, performance.now()]])

  const hearing = listen(
    bus,
    apiGateway,
    'gatewayServes',
    ({ gateway }) => {
      const now = performance.now()
      heard_at.set(gateway, now)
      // While this gateway does not hear itself, that it hears nobody else says nothing about them.
      if (gateway !== self) return
      for (const [other, at] of heard_at) if (now - at > forgotten_after_ms) heard_at.delete(other)
    },
    logger,
  )
  createGauge(registry, 'sociallogin_gateways_serving', (gauge) => gauge.set(heard_at.size))
  const tell = () => {
    if (bus.connected()) publish(bus, apiGateway, 'gatewayServes', { gateway: self })
  }
  tell()
  const timer = setInterval(tell, told_every_ms)

  return {
    count: () => heard_at.size,
    [Symbol.dispose]() {
      clearInterval(timer)
      hearing[Symbol.dispose]()
    },
  }
}
