{{/*
Every secret by the suffix of its name: its entry in values.yaml, its path and content, and the name of the Secret. Migrations need those
with `hook` before all other objects.
*/}}
{{- define "social-login.secrets" -}}
{{- $services := include "social-login.enabled" . | fromYaml }}
{{- $secrets := dict }}
{{- range $key, $service := $services }}
  {{- range $end, $secret := dict "nats" (get $.Values.secrets.nats $key) "nats-credentials" (get $.Values.secrets.natsCredentials $key) }}
    {{- if or $secret.existingSecret $secret.remoteKey }}
      {{- $_ := set $secrets (printf "%s-%s" $end $service.name) $secret }}
    {{- end }}
  {{- end }}
  {{- if $service.database }}
    {{- $of := get $.Values.secrets.database $key }}
    {{- $_ := set $secrets (printf "database-%s" $service.name) (merge (dict "path" (printf "secrets.database.%s" $key) "holds" (printf "the address of the database of %s" $service.name)) $of) }}
    {{- $migrator := get $.Values.secrets.migrator $key }}
    {{- if or $migrator.existingSecret $migrator.remoteKey }}
      {{- $_ := set $secrets (printf "migrator-%s" $service.name) (merge (dict "hook" true) $migrator) }}
    {{- end }}
    {{- $replica := get $.Values.secrets.databaseReplica $key | default dict }}
    {{- if or $replica.existingSecret $replica.remoteKey }}
      {{- $_ := set $secrets (printf "database-replica-%s" $service.name) $replica }}
    {{- end }}
  {{- end }}
{{- end }}
{{- if or (hasKey $services "apiGateway") (hasKey $services "providerAuth") }}
  {{- $_ := set $secrets "redis" (merge (dict "path" "secrets.redis" "holds" "the address of Redis") .Values.secrets.redis) }}
{{- end }}
{{- if hasKey $services "apiGateway" }}
  {{- $_ := set $secrets "cursor-key" (merge (dict "path" "secrets.cursorKey" "holds" "the key of the Web API's cursors") .Values.secrets.cursorKey) }}
{{- end }}
{{- if or (hasKey $services "providerAuth") (hasKey $services "events") (hasKey $services "console") }}
  {{- $_ := set $secrets "encryption-keys" (merge (dict "path" "secrets.encryptionKeys" "holds" "the ring of encryption keys") .Values.secrets.encryptionKeys) }}
{{- end }}
{{- if and (hasKey $services "console") .Values.settings.operatorIssuer }}
  {{- $_ := set $secrets "operator-client-secret" (merge (dict "path" "secrets.operatorClientSecret" "holds" "the console's client secret at settings.operatorIssuer") .Values.secrets.operatorClientSecret) }}
{{- end }}
{{- if and (hasKey $services "console") .Values.settings.smtpFrom }}
  {{- $_ := set $secrets "smtp" (merge (dict "path" "secrets.smtpUrl" "holds" "the address of the mail server") .Values.secrets.smtpUrl) }}
{{- end }}
{{- $fullname := include "social-login.fullname" . }}
{{- range $end, $secret := $secrets }}
  {{- $_ := set $secrets $end (merge (dict "name" ($secret.existingSecret | default (printf "%s-%s" $fullname $end))) $secret) }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{/* The secrets of a service by the setting that names the file. Arguments: the root, the service. */}}
{{- define "social-login.secretsOf" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $there := include "social-login.secrets" $root | fromYaml }}
{{- $secrets := dict }}
{{- range $setting, $end := dict
  "CURSOR_KEY_FILE" "cursor-key"
  "DATABASE_REPLICA_URL_FILE" (printf "database-replica-%s" $service.name)
  "DATABASE_URL_FILE" (printf "database-%s" $service.name)
  "NATS_CREDS_FILE" (printf "nats-credentials-%s" $service.name)
  "NATS_URL_FILE" (printf "nats-%s" $service.name)
  "OPERATOR_CLIENT_SECRET_FILE" "operator-client-secret"
  "REDIS_URL_FILE" "redis"
  "SMTP_URL_FILE" "smtp"
  "ENCRYPTION_KEYS_FILE" "encryption-keys" }}
  {{- if and (has $setting $service.settings) (hasKey $there $end) }}{{ $_ := set $secrets $setting (get $there $end) }}{{ end }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{/* The secrets of a service's migrations by the setting that names the file. Arguments: the root, the service. */}}
{{- define "social-login.migratorSecrets" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $there := include "social-login.secrets" $root | fromYaml }}
{{- $own := get $there (printf "migrator-%s" $service.name) }}
{{- dict "DATABASE_URL_FILE" ($own | default (get $there (printf "database-%s" $service.name))) | toYaml }}
{{- end }}
