import { expect } from 'vitest'
import { z } from 'zod'

const StartedScenario = z.looseObject({ id: z.string() })

/** Starts a scenario as a test does. */
export async function startScenario(url: string, scenario: object): Promise<z.infer<typeof StartedScenario>> {
  const response = await sendScenario(url, scenario)
  const result: unknown = await response.json()
  expect(response.status, JSON.stringify(result)).toBe(201)
  return StartedScenario.parse(result)
}

export async function sendScenario(url: string, scenario: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/scenarios`, { method: 'POST', headers, body: JSON.stringify(scenario) })
}

export async function endScenarios(url: string, id = ''): Promise<number> {
  return (await fetch(`${url}/scenarios${id && `/${id}`}`, { method: 'DELETE' })).status
}
