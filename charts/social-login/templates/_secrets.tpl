{{/*
Every secret by the end of its name: what stands in values.yaml, where it stands there, what it holds and who needs it (keys of
services; `hook` when migrations need it before anything else is there).
*/}}
{{- define "social-login.secrets" -}}
{{- $services := include "social-login.enabled" . | fromYaml }}
{{- $secrets := dict }}
{{- range $key, $service := $services }}
  {{- $nats := get $.Values.secrets.nats $key }}
  {{- if or $nats.existingSecret $nats.remoteKey }}
    {{- $_ := set $secrets (printf "nats-%s" $service.name) (merge (dict "path" (printf "secrets.nats.%s" $key)) $nats) }}
  {{- end }}
  {{- if $service.database }}
    {{- $of := get $.Values.secrets.database $key }}
    {{- $_ := set $secrets (printf "database-%s" $service.name) (merge (dict "path" (printf "secrets.database.%s" $key) "holds" (printf "the address of the database of %s" $service.name)) $of) }}
    {{- $migrator := get $.Values.secrets.migrator $key }}
    {{- if or $migrator.existingSecret $migrator.remoteKey }}
      {{- $_ := set $secrets (printf "migrator-%s" $service.name) (merge (dict "path" (printf "secrets.migrator.%s" $key) "holds" (printf "the migrator's address of the database of %s" $service.name) "hook" true) $migrator) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- if or (hasKey $services "apiGateway") (hasKey $services "providerAuth") }}
  {{- $_ := set $secrets "redis" (merge (dict "path" "secrets.redis" "holds" "the address of Redis") .Values.secrets.redis) }}
{{- end }}
{{- if hasKey $services "apiGateway" }}
  {{- $_ := set $secrets "cursor-key" (merge (dict "path" "secrets.cursorKey" "holds" "the key of the Web API's cursors") .Values.secrets.cursorKey) }}
{{- end }}
{{- if hasKey $services "providerAuth" }}
  {{- $_ := set $secrets "seal-keys" (merge (dict "path" "secrets.sealKeys" "holds" "the ring of seal keys") .Values.secrets.sealKeys) }}
{{- end }}
{{- if and (hasKey $services "console") .Values.settings.operatorIssuer }}
  {{- $_ := set $secrets "operator-client-secret" (merge (dict "path" "secrets.operatorClientSecret" "holds" "the console's client secret at settings.operatorIssuer") .Values.secrets.operatorClientSecret) }}
{{- end }}
{{- toYaml $secrets }}
{{- end }}

{{/* Name of a Secret. Arguments: the root, the end of its name. */}}
{{- define "social-login.secretName" -}}
{{- $root := index . 0 }}{{ $end := index . 1 }}
{{- $secret := get (include "social-login.secrets" $root | fromYaml) $end }}
{{- $secret.existingSecret | default (printf "%s-%s" (include "social-login.fullname" $root) $end) }}
{{- end }}

{{/* Where a variable is read from a Secret. Arguments: the root, the end of its name. */}}
{{- define "social-login.fromSecret" -}}
{{- $root := index . 0 }}{{ $end := index . 1 }}
{{- $secret := get (include "social-login.secrets" $root | fromYaml) $end }}
{{- dict "valueFrom" (dict "secretKeyRef" (dict "name" (include "social-login.secretName" .) "key" $secret.key)) | toYaml }}
{{- end }}

{{/* End of the name of the secret that migrations of a service use. Arguments: the root, the service. */}}
{{- define "social-login.migratorSecret" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $own := printf "migrator-%s" $service.name }}
{{- ternary $own (printf "database-%s" $service.name) (hasKey (include "social-login.secrets" $root | fromYaml) $own) }}
{{- end }}
