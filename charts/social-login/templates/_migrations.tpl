{{/* The container that migrates a service's database. Arguments: the root, the service. */}}
{{- define "social-login.migrateContainer" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $resources := $root.Values.migrations.resources }}
{{- $files := include "social-login.migrationFiles" . | fromYamlArray }}
{{- $env := merge (include "social-login.processEnv" $resources | fromYaml) (include "social-login.fileEnv" $files | fromYaml) }}
- name: migrate
  {{- include "social-login.containerBase" $root | nindent 2 }}
  args: [services/{{ $service.name }}/migrate.js]
  env: {{- include "social-login.envList" $env | trim | nindent 4 }}
  resources: {{- toYaml $resources | nindent 4 }}
  volumeMounts:
    {{- include "social-login.tmpMount" . | nindent 4 }}
    {{- include "social-login.fileMount" "migration-files" | nindent 4 }}
{{- end }}

{{/* The pod that migrates a service's database, scheduled like the service. Arguments: the root, the service, name of the service account. */}}
{{- define "social-login.migratePod" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}{{ $migrations := $root.Values.migrations -}}
metadata: {{- include "social-login.podMetadata" (list $root "migrate" $migrations.podLabels $migrations.podAnnotations) | nindent 2 }}
spec:
  restartPolicy: Never
  {{- include "social-login.podBase" (list $root (index . 2) $service) | nindent 2 }}
  containers: {{- include "social-login.migrateContainer" (list $root $service) | nindent 4 }}
  volumes:
    {{- include "social-login.tmpVolume" $root | nindent 4 }}
    {{- include "social-login.fileVolume" (list "migration-files" (include "social-login.migrationFiles" (list $root $service) | fromYamlArray)) | nindent 4 }}
{{- end }}
