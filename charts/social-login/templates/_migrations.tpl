{{/* The container that migrates a service's database. Arguments: the root, the service. */}}
{{- define "social-login.migrateContainer" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $resources := $root.Values.migrations.resources }}
{{- $files := include "social-login.migrationFiles" . | fromYamlArray }}
{{- $env := merge (include "social-login.processEnv" $resources | fromYaml) (include "social-login.fileEnv" $files | fromYaml) }}
- name: migrate-{{ $service.name }}
  {{- include "social-login.containerBase" $root | nindent 2 }}
  args: [services/{{ $service.name }}/migrate.js]
  env: {{- include "social-login.envList" $env | trim | nindent 4 }}
  resources: {{- toYaml $resources | nindent 4 }}
  volumeMounts:
    {{- include "social-login.tmpMount" . | nindent 4 }}
    {{- include "social-login.fileMount" (printf "migrate-%s" $service.name) | nindent 4 }}
{{- end }}

{{/* The volume of that container. Arguments: the root, the service. */}}
{{- define "social-login.migrateVolume" -}}
{{- $files := include "social-login.migrationFiles" . | fromYamlArray }}
{{- include "social-login.fileVolume" (list (printf "migrate-%s" (index . 1).name) $files) }}
{{- end }}

{{/* The pod that migrates databases, each in its container. Arguments: the root, the services, name of the service account. */}}
{{- define "social-login.migratePod" -}}
{{- $root := index . 0 }}{{ $services := index . 1 }}{{ $migrations := $root.Values.migrations -}}
metadata: {{- include "social-login.podMetadata" (list $root "migrate" $migrations.podLabels $migrations.podAnnotations) | nindent 2 }}
spec:
  restartPolicy: Never
  {{- include "social-login.podBase" (list $root (index . 2) $root.Values.defaults) | nindent 2 }}
  containers:
    {{- range $services }}
    {{- include "social-login.migrateContainer" (list $root .) | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "social-login.tmpVolume" $root | nindent 4 }}
    {{- range $services }}
    {{- include "social-login.migrateVolume" (list $root .) | nindent 4 }}
    {{- end }}
{{- end }}
