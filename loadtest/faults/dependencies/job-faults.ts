import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplicatedStack } from '../replicas/replicated-stack.ts'
import type { FaultSite } from '../site.ts'
import type { DependencyFault } from './dependency-faults.ts'

const jobs = 100_000
const poisonJobs = 1_000
const settleWithinMs = 900_000
const pollMs = 1_000

/** Jobs that always fail, and more jobs than workers can run in a short time. */
export const jobFaults: readonly DependencyFault[] = [
  {
    // The jobs of deleted users go on while others fail forever.
    name: 'poison_jobs',
    extent: 'all',
    concerns: 'none',
    begin: (stack, site) => enqueueJobs(stack, site, { name: 'poison', count: poisonJobs, linkId: "'no UUID'" }),
    end: () => {},
    settle: removePoisonJobs,
  },
  {
    name: 'job_backlog',
    extent: 'all',
    async begin(stack, site) {
      signalProfiles(stack, 'SIGSTOP')
      await enqueueJobs(stack, site, { name: 'backlog', count: jobs, linkId: 'gen_random_uuid()' })
    },
    end: (stack) => signalProfiles(stack, 'SIGCONT'),
    settle: waitForJobs,
  },
]

function signalProfiles({ replicas }: ReplicatedStack, signal: NodeJS.Signals): void {
  for (const replica of replicas.filter(({ service }) => service === 'profile')) replica.signal(signal)
}

interface EnqueuedJobs {
  /** Their keys start with it. */
  readonly name: string
  readonly count: number
  /** SQL for the link that each names. */
  readonly linkId: string
}

/** As if so many users had been deleted. */
async function enqueueJobs(
  { databases }: ReplicatedStack,
  { site }: FaultSite,
  { name, count, linkId }: EnqueuedJobs,
): Promise<void> {
  await databases.identity.raw(
    `insert into jobs (key, task, payload, run_at)
    select ? || ':' || number, 'profile.deleteLinks', jsonb_build_object('input', jsonb_build_object(
      'site', ?::integer, 'identifier', lpad(to_hex(number), 40, '0'), 'link_ids', jsonb_build_array(${linkId}),
      'deleted_at', ?::text, 'profile', 'delete')), now()
    from generate_series(1, ?) as number`,
    [name, site, new Date().toISOString(), count],
  )
}

async function waitForJobs({ databases, interruption }: ReplicatedStack): Promise<readonly string[]> {
  const until = performance.now() + settleWithinMs
  for (;;) {
    const [row] = await databases.identity('jobs').count({ left: '*' })
    const left = Number(row?.left)
    if (left === 0) return []
    if (performance.now() > until) return [`${left} of ${jobs} jobs are left`]
    await sleep(pollMs, undefined, { signal: interruption })
  }
}

/** Jobs that cannot succeed are tried again and again, and never given up. */
async function removePoisonJobs({ databases }: ReplicatedStack): Promise<readonly string[]> {
  const removed: { attempts: number }[] = await databases
    .identity('jobs')
    .whereLike('key', 'poison:%')
    .delete()
    .returning('attempts')
  const untried = removed.filter(({ attempts }) => attempts === 0).length
  return [
    ...(removed.length < poisonJobs ? [`${removed.length} of ${poisonJobs} jobs that failed are stored`] : []),
    ...(untried > 0 ? [`${untried} jobs were never tried`] : []),
  ]
}
