import { expect, onTestFinished } from 'vitest'
import { z } from 'zod'
import { findFreePort } from '#local'
import { startForTest } from '#testing'
import { readConfig } from '../config.ts'
import { service } from '../service.ts'
import { simulatedClock } from '../simulated-clock.ts'

const { now: systemTime } = simulatedClock
/** Does not step back: what a test stored is not newer than what its next request does. */
const steadyTime = () => Math.floor(performance.timeOrigin + performance.now())

/** A simulator in this process, on a port of its own, with a steady clock. */
export async function startSimulator(): Promise<{ url: string } & AsyncDisposable> {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const environment = { PORT: String(port), SIMULATOR_URL: url }
  const running = await startForTest('provider-simulator', { readConfig, service }, environment)
  simulatedClock.now = steadyTime
  return {
    url,
    async [Symbol.asyncDispose]() {
      simulatedClock.now = systemTime
      await running.stop()
    },
  }
}

/** Lets time pass for the simulators of this process until the test ends. */
export function advanceTime(seconds: number): void {
  const time = simulatedClock.now() + seconds * 1_000
  simulatedClock.now = () => time
  onTestFinished(() => {
    simulatedClock.now = steadyTime
  })
}

export async function register(url: string, client: object): Promise<Response> {
  return fetch(`${url}/clients`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(client),
  })
}

/** The address with these parameters as its query. */
export function withQuery(base: string, parameters: Record<string, string>): string {
  return `${base}?${new URLSearchParams(parameters)}`
}

/** The hidden field of the sign-in page at this address. */
export async function openForm(authorization: string): Promise<{ handle: string; html: string }> {
  const response = await fetch(authorization, { redirect: 'manual' })
  const html = await response.text()
  expect(response.status, html).toBe(200)
  const handle = /name="handle" value="([^"]+)"/.exec(html)?.[1] ?? ''
  return { handle, html }
}

export async function sendForm(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(`${url}/sign-in`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

/** The URL to which the provider redirects the browser. */
export function locationOf(response: Response): URL {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

/** Signs in as a browser: opens the page, submits its form, and returns the URL of the redirect. */
export async function signIn(authorization: string, fields: Record<string, string>): Promise<URL> {
  const { handle } = await openForm(authorization)
  return locationOf(await sendForm(new URL(authorization).origin, { handle, decision: 'allow', ...fields }))
}

/** Sends a form to an endpoint that returns JSON. */
export async function post(
  endpoint: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await fetch(endpoint, { method: 'POST', body: new URLSearchParams(fields), headers })
  return { status: response.status, json: await jsonOf(response) }
}

export async function get(
  endpoint: string,
  token?: string,
): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(endpoint, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, json: await jsonOf(response), headers: response.headers }
}

async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(await response.json())
}

/** Returns a field of a JSON response that must be text. */
export function requireText(value: unknown): string {
  expect(value).toBeTypeOf('string')
  return String(value)
}
