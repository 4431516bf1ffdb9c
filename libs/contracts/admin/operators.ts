import { z } from 'zod'
import { Timestamp } from '../scalars.ts'
import { Member } from './members.ts'
import { adminProcedures } from './procedure.ts'

const name = z.string().trim().min(1).max(100)

/** Those who run the service: who they are, and the tokens that may do what they may. */
export const operatorProcedures = adminProcedures({
  listOperators: {
    method: 'GET',
    path: '/operators',
    summary: 'Operators',
    role: 'operator',
    input: z.object({}),
    output: z.object({
      operators: z.array(Member),
      invitations: z.array(z.object({ invitation_id: z.uuid(), name, expires_at: Timestamp })),
    }),
  },
  inviteOperator: {
    method: 'POST',
    path: '/operators/invitations',
    summary: 'Invite an operator by a link that can be used once; of a name there is already, for another passkey',
    role: 'operator',
    sensitive: true,
    input: z.object({ name }),
    output: z.object({ invitation_id: z.uuid(), link: z.string(), expires_at: Timestamp }),
  },
  withdrawOperatorInvitation: {
    method: 'DELETE',
    path: '/operators/invitations/{invitation_id}',
    summary: 'Withdraw an invitation of an operator',
    role: 'operator',
    input: z.object({ invitation_id: z.uuid() }),
    output: z.object({}),
  },
  removeOperator: {
    method: 'DELETE',
    path: '/operators/{member_id}',
    summary: 'An operator is one no more; the sessions end at once',
    role: 'operator',
    sensitive: true,
    input: z.object({ member_id: z.uuid() }),
    output: z.object({}),
    faults: { conflict: 'There would be no operator any more.' },
  },
  listOperatorTokens: {
    method: 'GET',
    path: '/operators/tokens',
    summary: 'Tokens that may do in every account what operators may',
    role: 'operator',
    input: z.object({}),
    output: z.object({
      tokens: z.array(
        z.object({
          token_id: z.uuid(),
          name,
          created_at: Timestamp,
          expires_at: Timestamp,
          last_used_at: Timestamp.nullable(),
        }),
      ),
    }),
  },
  issueOperatorToken: {
    method: 'POST',
    path: '/operators/tokens',
    summary: 'Issue a token that may do in every account what operators may; it is told in this answer only',
    role: 'operator',
    sensitive: true,
    input: z.object({ name, lives_days: z.int().min(1).max(366).default(30) }),
    output: z.object({ token_id: z.uuid(), token: z.string(), expires_at: Timestamp }),
  },
  revokeOperatorToken: {
    method: 'DELETE',
    path: '/operators/tokens/{token_id}',
    summary: 'Revoke a token of operators',
    role: 'operator',
    input: z.object({ token_id: z.uuid() }),
    output: z.object({}),
  },
})
