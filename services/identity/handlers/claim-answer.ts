import { randomUUID } from 'node:crypto'
import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { claimAnswer as claim, deleteExpiredAnswers, findAnswer } from '../store/answers.ts'

export const claimAnswer: IdentityHandlers['claimAnswer'] = async (request, { knex }) => {
  await deleteExpiredAnswers(knex, request)
  const command = await claim(knex, request, randomUUID())
  if (command !== undefined) return { command }
  const known = await findAnswer(knex, request)
  if (known !== undefined && known.request !== request.request) throw new Fault('invalid_parameter')
  if (known?.user_deleted) throw new Fault('entity_not_found')
  if (known?.answer) return { kept: known.answer }
  throw new Fault('unavailable')
}
