import { MetadataSearchSetting, MetadataSearchState } from '../objects/metadata-search.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export const metadataSearchProcedures = adminProcedures({
  readMetadataSearch: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/metadata-search',
    summary: 'By which metadata users can be filtered, and the progress of indexing stored metadata',
    role: 'viewer',
    versioned: true,
    servedBy: 'identity',
    input: SiteReference,
    output: MetadataSearchState,
  },
  changeMetadataSearch: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/metadata-search',
    summary:
      'Change by which metadata users can be filtered. Stored metadata is indexed in the background; values of paths that are removed are deleted from the index',
    role: 'editor',
    versioned: true,
    servedBy: 'identity',
    reader: 'readMetadataSearch',
    audited: ['paths'],
    section: { name: 'metadata_search', initial: { paths: [] } },
    form: 'metadata_search',
    help: { paths: 'paths of the metadata by which users can be filtered, e.g. app_metadata.plan; none: switched off' },
    input: SiteReference.extend(MetadataSearchSetting.shape),
    output: MetadataSearchState,
  },
})
