{{/* The container that migrates a service's database. Arguments: the root, the service. */}}
{{- define "social-login.migrateContainer" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $resources := $root.Values.migrations.resources }}
{{- $env := include "social-login.processEnv" (list $root $resources) | fromYaml }}
{{- $_ := set $env "DATABASE_URL" (include "social-login.fromSecret" (list $root (include "social-login.migratorSecret" .)) | fromYaml) }}
- name: migrate
  {{- include "social-login.containerBase" $root | nindent 2 }}
  args: [services/{{ $service.name }}/migrate.ts]
  env: {{- include "social-login.envList" $env | trim | nindent 4 }}
  resources: {{- toYaml $resources | nindent 4 }}
  volumeMounts: {{- include "social-login.mounts" $root | nindent 4 }}
{{- end }}

{{/* The pod that migrates a service's database. Arguments: the root, the service, name of the service account. */}}
{{- define "social-login.migratePod" -}}
{{- $root := index . 0 }}{{ $service := index . 1 -}}
metadata:
  labels: {{- include "social-login.labels" (list $root "migrate") | nindent 4 }}
spec:
  restartPolicy: Never
  {{- include "social-login.podBase" (list $root (index . 2)) | nindent 2 }}
  containers: {{- include "social-login.migrateContainer" (list $root $service) | nindent 4 }}
  volumes: {{- include "social-login.volumes" $root | nindent 4 }}
{{- end }}
