/** A ratio of two measurements over the blocks of a run. */
export interface RatioSummary {
  /** Geometric mean. */
  readonly mean: number
  /** 95 % confidence interval of the mean, by bootstrap. */
  readonly low: number
  readonly high: number
  readonly blocks: number
}

const resamples = 2_000
const confidence = 0.95

/** Summarizes the ratios of the blocks. The same ratios always have the same summary. */
export function summarizeRatios(ratios: readonly number[]): RatioSummary {
  const random = createRandom(ratios.length)
  const pick = () => ratios[Math.floor(random() * ratios.length)] ?? Number.NaN
  const means = Array.from({ length: resamples }, () => geometricMean(ratios.map(pick))).toSorted((a, b) => a - b)
  return {
    mean: geometricMean(ratios),
    low: sortedQuantile(means, (1 - confidence) / 2),
    high: sortedQuantile(means, (1 + confidence) / 2),
    blocks: ratios.length,
  }
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}

/** The value below which this share (0 to 1) of the sorted values is. NaN without values. */
export function sortedQuantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Pseudo-random numbers from 0 to 1 (mulberry32), so that a summary can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
