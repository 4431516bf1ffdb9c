import { Histogram, type Registry } from 'prom-client'

/** Seconds one procedure took, by outcome: `ok`, a fault's name, or `defect`. */
export type Measure = (procedure: string, outcome: string, began_at: number) => void

const buckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** @param side whether the process asked or answered */
export function createMeasure(registry: Registry, side: 'asked' | 'served'): Measure {
  const name = `bus_${side}_seconds`
  const existing = registry.getSingleMetric(name)
  const histogram =
    existing instanceof Histogram
      ? existing
      : new Histogram({
          name,
          help: `Time of procedures ${side} over the bus, in seconds.`,
          labelNames: ['procedure', 'outcome'],
          buckets,
          registers: [registry],
        })
  return (procedure, outcome, began_at) => {
    histogram.observe({ procedure, outcome }, (performance.now() - began_at) / 1_000)
  }
}
