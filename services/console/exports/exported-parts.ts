import { exportColumns, parseExportColumn } from '#admin-api'
import type { StoredExport } from '../store/exports.ts'

/** What an export reads of users in addition to their accounts. */
type Part = 'profile' | 'name' | 'credentials' | 'statuses' | 'metadata' | 'consents'

/** Lists what an export reads, so that none of it reads more than its file has. */
export function listParts({
  format,
  columns,
  with_profile,
  with_credentials,
}: Pick<StoredExport, 'format' | 'columns' | 'with_profile' | 'with_credentials'>): ReadonlySet<Part> {
  if (columns !== null) return new Set(columns.flatMap(listPartsOfColumn))
  // An export without profiles says at least whether they are prohibited, so that an import keeps it.
  const parts: Part[] = ['profile']
  if (with_credentials) parts.push('credentials')
  if (format === 'ndjson' && with_profile) parts.push('statuses', 'metadata', 'consents')
  return new Set(parts)
}

const profileColumns: readonly string[] = ['profile_prohibited', ...exportColumns.profile]

function listPartsOfColumn(column: string): Part[] {
  if (column === 'name' || column === 'consents') return [column]
  if (profileColumns.includes(column)) return ['profile']
  const isMetadata = column.endsWith('_metadata') || parseExportColumn(column).kind === 'metadata'
  return isMetadata ? ['metadata'] : []
}
