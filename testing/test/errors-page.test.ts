import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { adminFaults, adminReasons, rejectionExplanations } from '#admin-api'
import { faultReasons, faults, internalFaults } from '#contracts'
import { failureReasons } from '../../services/provider-auth/domain/callback-request.ts'
import { interactionErrors } from '../../services/provider-auth/domain/interaction-required.ts'
import { oauthErrors } from '../../services/provider-auth/http/oauth-errors.ts'
import { requestChecks } from '../../services/provider-auth/openid/authorization/validate-request.ts'
import { pageStatuses } from '../../services/provider-auth/pages/page-statuses.ts'
import { serverError } from '../../services/provider-auth/response/redirect-location.ts'

const page = readFileSync('docs/use/errors.md', 'utf8')
const Pages = z.object({ pages: z.record(z.string(), z.object({ heading: z.string(), message: z.string() })) })
const readPages = (language: string) =>
  Pages.parse(JSON.parse(readFileSync(`services/provider-auth/texts/${language}.json`, 'utf8'))).pages

/** The first cells of the rows below a heading, without backquotes. */
function readRows(heading: string, cells: number): string[][] {
  const [, section = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [ownText = ''] = section.split(/^#/m)
  const [, , ...rows] = ownText.split('\n').filter((line) => line.startsWith('|'))
  return rows.map((row) => row.split('|').slice(1, cells + 1)).map((row) => row.map(trimCell))
}

function trimCell(cell: string): string {
  return cell.trim().replace(/^`(.*)`$/, '$1')
}

const readNames = (heading: string) => readRows(heading, 2)

test('the tables of the Web API list every error and every reason', () => {
  const listed = Object.entries(faults)
    .filter(([name]) => !internalFaults.some((internal) => internal === name))
    .map(([, { status, code, message }]) => [String(status), String(code), message])
  expect(readRows('Web API', 3)).toEqual(listed)
  expect(readNames('Reasons of codes 5, 6, 1009 and 1010')).toEqual(Object.entries(faultReasons))
})

test('the table of redirect errors lists every error_description', () => {
  const checks = requestChecks.map(({ error, error_description }) => [error, error_description])
  expect(readRows('Errors at your redirect URI', 2)).toEqual([
    ...checks,
    ...Object.entries(interactionErrors),
    Object.values(serverError),
  ])
})

test('the table of the token, revocation and userinfo endpoint lists every error', () => {
  expect(readRows('Token, revocation and userinfo endpoint', 3)).toEqual(
    Object.values(oauthErrors).map(({ status, error, description }) => [String(status), error, description]),
  )
})

test('the table of callbacks lists every reason', () => {
  expect(readRows('Failed linking and login with a one-time token', 1).flat()).toEqual([...failureReasons])
})

test('the tables of error pages list every page with its heading and message', () => {
  const [english, japanese] = [readPages('en'), readPages('ja')]
  expect(readRows('Error pages', 4)).toEqual(
    Object.entries(pageStatuses).map(([name, status]) => [
      name,
      String(status),
      english[name]?.heading,
      english[name]?.message,
    ]),
  )
  expect(readRows('Error pages in Japanese', 3)).toEqual(
    Object.entries(japanese).map(([name, { heading, message }]) => [name, heading, message]),
  )
})

test('the tables of the console list every error and every reason', () => {
  expect(readRows('Console and Admin API', 3)).toEqual(
    Object.entries(adminFaults).map(([name, { status, message }]) => [String(status), name, message]),
  )
  const reasons = [...readNames('Reasons about the whole request'), ...readNames('Reasons about a field')]
  expect(reasons.sort()).toEqual(Object.entries(adminReasons).sort())
})

test('the table of causes lists every explanation of a rejected request', () => {
  expect(readNames('Causes that only the console shows')).toEqual(Object.entries(rejectionExplanations))
})
