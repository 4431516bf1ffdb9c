import type { Member } from './stack/fleet.ts'

/** A sample of Prometheus' text format, labels as they are written. */
export interface Sample {
  readonly name: string
  readonly labels: string
  readonly value: number
}

/** What a process tells of itself at this moment. */
export async function readSamples({ operations }: Pick<Member, 'operations'>): Promise<readonly Sample[]> {
  const text = await (await fetch(`${operations}/metrics`)).text()
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => {
    return { name, labels, value: Number(value) }
  })
}
