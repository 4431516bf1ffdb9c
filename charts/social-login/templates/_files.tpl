{{/*
The files of a container in /etc/social-login: each with its path, its Secret or ConfigMap, its key, and the setting that names it, if
any. Arguments: the root, the service, its secrets (as of `secretsOf`), the servers that use TLS.
*/}}
{{- define "social-login.files" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $files := list }}
{{- range $setting, $secret := index . 2 }}
  {{- $path := $setting | trimSuffix "_FILE" | lower | replace "_" "-" | printf "secrets/%s" }}
  {{- $files = append $files (dict "path" $path "from" "secret" "name" $secret.name "key" $secret.key "setting" $setting) }}
{{- end }}
{{- range $server := index . 3 }}
  {{- $tls := get $service.tls $server }}
  {{- if $tls.existingSecret }}
    {{- range $part, $file := dict "ca" "ca.crt" "certificate" "tls.crt" "key" "tls.key" }}
      {{- with get $tls $part }}
        {{- $setting := printf "%s_%s_FILE" ($server | upper) (get (dict "ca" "CA" "certificate" "CERT" "key" "KEY") $part) }}
        {{- $files = append $files (dict "path" (printf "%s/%s" $server $file) "from" "secret" "name" $tls.existingSecret "key" . "setting" (ternary "" $setting (eq $server "database"))) }}
      {{- end }}
    {{- end }}
  {{- end }}
{{- end }}
{{- with $root.Values.trust }}
  {{- if or .existingSecret .existingConfigMap }}
    {{- $files = append $files (dict "path" "trust/ca.crt" "from" (ternary "secret" "configMap" (ne .existingSecret "")) "name" (.existingSecret | default .existingConfigMap) "key" .key "setting" "NODE_EXTRA_CA_CERTS") }}
  {{- end }}
{{- end }}
{{- toYaml $files }}
{{- end }}

{{/* Files of a service. Arguments: the root, the service. */}}
{{- define "social-login.serviceFiles" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $servers := list "nats" }}
{{- if $service.database }}{{ $servers = append $servers "database" }}{{ end }}
{{- if has "REDIS_URL_FILE" $service.settings }}{{ $servers = append $servers "redis" }}{{ end }}
{{- include "social-login.files" (list $root $service (include "social-login.secretsOf" . | fromYaml) $servers) }}
{{- end }}

{{/* Files of a service's migrations. Arguments: the root, the service. */}}
{{- define "social-login.migrationFiles" -}}
{{- include "social-login.files" (list (index . 0) (index . 1) (include "social-login.migratorSecrets" . | fromYaml) (list "database")) }}
{{- end }}

{{/* Environment variables that name files. */}}
{{- define "social-login.fileEnv" -}}
{{- $env := dict }}
{{- range . }}
  {{- if .setting }}{{ $_ := set $env .setting (dict "value" (printf "/etc/social-login/%s" .path)) }}{{ end }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{/* The volume with the files; it is updated when they change. Arguments: its name, the files. */}}
{{- define "social-login.fileVolume" -}}
- name: {{ index . 0 }}
  projected:
    defaultMode: 0440
    sources:
      {{- range index . 1 }}
      - {{ .from }}:
          name: {{ .name }}
          items:
            - { key: {{ .key | quote }}, path: {{ .path }} }
      {{- end }}
{{- end }}

{{/* The mount of the volume. Argument: its name. */}}
{{- define "social-login.fileMount" -}}
- name: {{ . }}
  mountPath: /etc/social-login
  readOnly: true
{{- end }}

{{/* Name of the ConfigMap with further languages of the login pages; empty: none. */}}
{{- define "social-login.pageLanguages" -}}
{{- with .Values.pageLanguages }}
{{- if .existingConfigMap }}{{ .existingConfigMap }}
{{- else if .files }}{{ include "social-login.fullname" $ }}-page-languages{{ end }}
{{- end }}
{{- end }}

{{/* The directory with their files. It is not below /etc/social-login, which is mounted read-only. */}}
{{- define "social-login.pageLanguagesPath" -}}
/etc/page-languages
{{- end }}
