import { expect } from 'vitest'
import { z } from 'zod'

const Chosen = z.looseObject({ id: z.string() })

/** Chooses a behaviour as a test would. */
export async function behave(url: string, wanted: object): Promise<z.infer<typeof Chosen>> {
  const response = await sendBehaviour(url, wanted)
  const answer: unknown = await response.json()
  expect(response.status, JSON.stringify(answer)).toBe(201)
  return Chosen.parse(answer)
}

export async function sendBehaviour(url: string, wanted: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${url}/behaviours`, { method: 'POST', headers, body: JSON.stringify(wanted) })
}

export async function endBehaviours(url: string, id = ''): Promise<number> {
  return (await fetch(`${url}/behaviours${id && `/${id}`}`, { method: 'DELETE' })).status
}
