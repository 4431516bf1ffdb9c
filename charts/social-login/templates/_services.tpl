{{/*
Facts of each service: its directory in services/, its public port, its settings in addition to those of every process, whether it
migrates a database, and the ports of the internet that it can reach. To add a service, add an entry here, a key of
`services`, and its secrets in values.yaml.
*/}}
{{- define "social-login.facts" -}}
apiGateway:
  name: api-gateway
  port: 8080
  settings: [AUTH_URL, CURSOR_KEY_FILE, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, MAX_REQUESTS, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE, PORT, PROVIDER_NAMES, RATE_TIMEOUT_MS, RATE_WINDOW_SECONDS, REDIS_URL_FILE, STATIC_BASE_URL, TRUST_TRACEPARENT, TRUSTED_PROXY_HOPS, WEB_API_URL]
identity:
  name: identity
  database: true
  settings: [DATABASE_PREPARED_STATEMENTS, DATABASE_REPLICA_MAX_AGE_SECONDS, DATABASE_REPLICA_URL_FILE, DATABASE_URL_FILE, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE]
profile:
  name: profile
  database: true
  settings: [DATABASE_PREPARED_STATEMENTS, DATABASE_REPLICA_MAX_AGE_SECONDS, DATABASE_REPLICA_URL_FILE, DATABASE_URL_FILE, ENCRYPTION_KEYS_FILE, ENCRYPT_PERSONAL_DATA, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE]
providerAuth:
  name: provider-auth
  port: 8081
  database: true
  internet: [80, 443]
  settings: [ALLOW_PROVIDER_SIMULATOR, AUTH_URL, COUNTRY_DATABASE, DATABASE_PREPARED_STATEMENTS, DATABASE_URL_FILE, HOST_PROOF_DNS_SERVERS, LOGINS_PER_ADDRESS, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE, PAGE_LANGUAGES_DIRECTORY, PORT, PROVIDER_CIRCUIT_OPEN_MS, PROVIDER_NAMES, PROVIDER_PRIVATE_ADDRESSES, PROVIDER_SIMULATOR_INTERNAL_URL, PROVIDER_SIMULATOR_URL, REDIS_URL_FILE, ENCRYPTION_KEYS_FILE, SITE_HOST_PATTERN, TRUST_TRACEPARENT, TRUSTED_PROXY_HOPS, WEB_API_URL]
friendship:
  name: friendship
  database: true
  internet: [443]
  settings: [DATABASE_PREPARED_STATEMENTS, DATABASE_URL_FILE, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE]
events:
  name: events
  database: true
  internet: [443]
  settings: [DATABASE_PREPARED_STATEMENTS, DATABASE_URL_FILE, ENCRYPTION_KEYS_FILE, ENCRYPT_PERSONAL_DATA, EVENTS_DAYS, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE, PROVIDER_NAMES, WEBHOOK_PRIVATE_ADDRESSES]
console:
  name: console
  port: 8085
  database: true
  internet: [443, 6514]
  settings: [CONSOLE_URL, DATABASE_PREPARED_STATEMENTS, DATABASE_URL_FILE, DOCUMENTATION_URL, DOMAIN_PROOF_DNS_SERVERS, ENCRYPTION_KEYS_FILE, LOGIN_LOG_DAYS, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, NATS_CREDS_FILE, NATS_URL, NATS_URL_FILE, OPERATOR_CLIENT_ID, OPERATOR_CLIENT_SECRET_FILE, OPERATOR_ISSUER, PORT, SIGN_IN_PRIVATE_ADDRESSES, SMTP_FROM, SMTP_URL_FILE, TRUSTED_PROXY_HOPS, WEBHOOK_PRIVATE_ADDRESSES]
{{- end }}

{{/*
The configuration of a service: its facts, and `defaults` merged with `services.<key>`. Arguments: the root, the key.
*/}}
{{- define "social-login.service" -}}
{{- $root := index . 0 }}{{ $key := index . 1 }}
{{- $facts := get (include "social-login.facts" $root | fromYaml) $key }}
{{- $component := mergeOverwrite (deepCopy $root.Values.defaults) (deepCopy (get $root.Values.services $key | default dict)) }}
{{- $fullname := include "social-login.fullname" $root }}
{{- $own := dict "key" $key "fullname" (printf "%s-%s" $fullname $facts.name) "scaled" (ne $component.autoscaling.by "none") }}
{{- merge $own $facts $component | toYaml }}
{{- end }}

{{/* Every enabled service by key. Computed once and cached, because every template uses it. */}}
{{- define "social-login.enabled" -}}
{{- if not (hasKey .Values "_enabled") }}
  {{- $enabled := dict }}
  {{- range $key, $_ := include "social-login.facts" . | fromYaml }}
    {{- $service := include "social-login.service" (list $ $key) | fromYaml }}
    {{- if $service.enabled }}{{ $_ := set $enabled $key $service }}{{ end }}
  {{- end }}
  {{- $_ := set .Values "_enabled" (toYaml $enabled) }}
{{- end }}
{{- .Values._enabled }}
{{- end }}

{{/* The minimum number of replicas. */}}
{{- define "social-login.least" -}}
{{- if .scaled }}{{ int .autoscaling.minReplicas }}{{ else }}{{ int .replicas }}{{ end }}
{{- end }}

{{/* Seconds after which a pod is killed: sleep, drain, the 25 seconds of the service's own deadline, and a reserve of 5. */}}
{{- define "social-login.grace" -}}
{{- with .shutdown }}
{{- if kindIs "invalid" .gracePeriodSeconds }}{{ add .preStopSeconds .drainSeconds 30 }}{{ else }}{{ int .gracePeriodSeconds }}{{ end }}
{{- end }}
{{- end }}
