import type { IdentityHandlers } from '../deps.ts'
import { updateAnswer } from '../store/answers.ts'

export const keepAnswer: IdentityHandlers['keepAnswer'] = async (kept, { knex }) => {
  await updateAnswer(knex, kept)
  return {}
}
