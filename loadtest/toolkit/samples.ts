import type { FleetProcess } from './stack/fleet.ts'

/** A sample of Prometheus' text format, with unparsed labels. */
export interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

/** Reads the current metrics of a process. */
export async function readSamples({ operations }: Pick<FleetProcess, 'operations'>): Promise<readonly Sample[]> {
  const text = await (await fetch(`${operations}/metrics`)).text()
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => {
    return { name, labels, value: Number(value) }
  })
}
