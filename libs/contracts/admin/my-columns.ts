import { z } from 'zod'
import { adminProcedures } from './procedure.ts'
import { userColumns } from './user-columns.ts'

const MyColumns = z.object({
  /** Null: those that the console shows by default. */
  user_columns: z.array(z.enum(userColumns)).min(1).max(userColumns.length).nullable(),
})

export const myColumnProcedures = adminProcedures({
  readMyUserColumns: {
    method: 'GET',
    path: '/me/user-columns',
    summary: 'The columns that you chose for lists of users in the console',
    role: 'member',
    input: z.object({}),
    output: MyColumns,
  },
  changeMyUserColumns: {
    method: 'PUT',
    path: '/me/user-columns',
    summary: 'Choose the columns of lists of users in the console, for all your browsers',
    role: 'member',
    input: MyColumns,
    output: MyColumns,
  },
})
