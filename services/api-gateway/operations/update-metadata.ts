import { Fault, Identifier, limits, parseViolation, StoredMetadata } from '#contracts'
import { exampleIdentifier } from '../objects/examples.ts'
import { noSuchUser } from '../objects/fault-conditions.ts'
import { defineOperation } from '../operation.ts'
import { flag } from '../parameters/flag.ts'
import { integer } from '../parameters/integer.ts'
import { MetadataText } from '../parameters/metadata-part.ts'
import { optional } from '../parameters/text.ts'
import { userIds } from '../parameters/user-ids.ts'

const patch = 'a JSON object, applied as JSON Merge Patch (RFC 7396): null deletes a member.'

export const updateMetadata = defineOperation({
  name: 'update_metadata',
  title: 'Change metadata',
  group: 'users',
  summary: 'Changes the metadata of a user, and returns both parts. A part that is not sent remains as it is.',
  writes: true,
  parameters: {
    user: userIds(),
    user_metadata: optional(MetadataText, `Change of \`user_metadata\`: ${patch}`),
    app_metadata: optional(MetadataText, `Change of \`app_metadata\`: ${patch}`),
    replace: flag('Replaces the sent parts instead of patching them.'),
    revision: optional(
      integer({ from: 0, to: 999_999_999 }),
      'The `revision` that the change is based on. If the metadata changed since, nothing is written.',
    ),
  },
  faults: {
    entity_not_found: noSuchUser,
    changed_meanwhile: 'The metadata does not have this `revision` any more. Read it, and send the change again.',
    metadata_invalid:
      'A changed part does not match the schema of the site. `parameter`, `place` and `rule` say where. Nothing was changed.',
    metadata_too_large: `Both parts together would have more than ${limits.metadata_bytes} bytes.`,
  },
  response: () => ({ identifier: Identifier, ...StoredMetadata.shape }),
  example: () => ({
    query: { identifier: exampleIdentifier, app_metadata: '{"plan":"premium"}' },
    response: {
      identifier: exampleIdentifier,
      user_metadata: { language: 'ja' },
      app_metadata: { plan: 'premium' },
      revision: 2,
    },
  }),
  run({ user: named, revision, ...change }, { identity }, { site: { site }, call, command }) {
    const input = { site, ...named, ...change, expected_revision: revision, command }
    return identity.changeMetadata(input, call).catch(addDetail)
  },
})

/** Adds the part, and the place and rule of the schema that it breaks. */
function addDetail(error: unknown): never {
  if (!(error instanceof Fault) || error.fault !== 'metadata_invalid') throw error
  const [{ field, reason } = { field: undefined, reason: '' }] = error.fields
  const detail = { reason: 'schema_violated', parameter: field, ...parseViolation(reason) } as const
  throw new Fault('metadata_invalid', { cause: error, detail })
}
