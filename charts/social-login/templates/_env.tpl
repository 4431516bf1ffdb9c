{{/*
The environment of a service, sorted by name, each name once. Arguments: the root, the service.
*/}}
{{- define "social-login.env" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $values := $root.Values }}{{ $settings := $values.settings }}
{{- $files := include "social-login.serviceFiles" . | fromYamlArray | include "social-login.fileEnv" | fromYaml }}
{{- $names := list }}
{{- range $token, $name := $settings.providerNames }}{{ $names = append $names (printf "%s:%s" $token $name) }}{{ end }}
{{- $all := dict
  "ALLOW_PROVIDER_SIMULATOR" (ternary "yes" "" $settings.allowProviderSimulator)
  "AUTH_URL" $settings.authorizationUrl
  "CONSOLE_URL" $settings.consoleUrl
  "COUNTRY_DATABASE" $settings.countryDatabase
  "DATABASE_PREPARED_STATEMENTS" (ternary "" "no" $settings.databasePreparedStatements)
  "DATABASE_REPLICA_MAX_AGE_SECONDS" $settings.databaseReplicaMaxAgeSeconds
  "DOMAIN_PROOF_DNS_SERVERS" (join "," $settings.domainProofDnsServers)
  "ENCRYPT_PERSONAL_DATA" (ternary "" "no" $settings.encryptPersonalData)
  "EVENTS_DAYS" $settings.eventsDays
  "HOST_PROOF_DNS_SERVERS" (join "," $settings.hostProofDnsServers)
  "DOCUMENTATION_URL" $settings.documentationUrl
  "LOGIN_LOG_DAYS" $settings.loginLogDays
  "LOGINS_PER_ADDRESS" $settings.loginsPerAddress
  "MAX_CONNECTIONS" $settings.maxConnections
  "MAX_CONNECTIONS_PER_ADDRESS" $settings.maxConnectionsPerAddress
  "MAX_REQUESTS" $settings.maxRequests
  "NATS_URL" (ternary "" $values.nats.url (hasKey $files "NATS_URL_FILE"))
  "OPERATOR_CLIENT_ID" $settings.operatorClientId
  "OPERATOR_ISSUER" $settings.operatorIssuer
  "PAGE_LANGUAGES_DIRECTORY" (ternary (include "social-login.pageLanguagesPath" $root) "" (ne (include "social-login.pageLanguages" $root) ""))
  "PORT" ($service.port | default "")
  "PROVIDER_CIRCUIT_OPEN_MS" $settings.providerCircuitOpenMs
  "PROVIDER_NAMES" (join "," $names)
  "PROVIDER_PRIVATE_ADDRESSES" (join "," $settings.providerPrivateAddresses)
  "PROVIDER_SIMULATOR_INTERNAL_URL" $settings.providerSimulatorInternalUrl
  "PROVIDER_SIMULATOR_URL" $settings.providerSimulatorUrl
  "RATE_TIMEOUT_MS" $settings.rateTimeoutMs
  "RATE_WINDOW_SECONDS" $settings.rateWindowSeconds
  "SIGN_IN_PRIVATE_ADDRESSES" (join "," $settings.signInPrivateAddresses)
  "SITE_HOST_PATTERN" $settings.siteHostPattern
  "SMTP_FROM" $settings.smtpFrom
  "STATIC_BASE_URL" $settings.staticWebApiUrl
  "TRUST_TRACEPARENT" (ternary "yes" "" $values.tracing.trustTraceparent)
  "TRUSTED_PROXY_HOPS" $settings.trustedProxyHops
  "WEB_API_URL" $settings.webApiUrl
  "WEBHOOK_PRIVATE_ADDRESSES" (join "," $settings.webhookPrivateAddresses) }}
{{- $env := dict
  "DRAIN_SECONDS" (dict "value" ($service.shutdown.drainSeconds | toString))
  "LOG_LEVEL" (dict "value" $service.logLevel)
  "OPS_PORT" (dict "value" "9090") }}
{{- $env = merge $env $files (include "social-login.processEnv" $service.resources | fromYaml) }}
{{- with $values.tracing.endpoint }}
  {{- $_ := set $env "OTEL_EXPORTER_OTLP_ENDPOINT" (dict "value" .) }}
  {{- /* The names sort before OTEL_…, because a variable can refer only to earlier ones. */}}
  {{- range $name, $field := dict "K8S_NODE_NAME" "spec.nodeName" "K8S_POD_NAME" "metadata.name" }}
    {{- $_ := set $env $name (dict "valueFrom" (dict "fieldRef" (dict "fieldPath" $field))) }}
  {{- end }}
  {{- $_ := set $env "OTEL_RESOURCE_ATTRIBUTES" (dict "value" (printf "service.namespace=%s,k8s.namespace.name=%s,k8s.node.name=$(K8S_NODE_NAME),k8s.pod.name=$(K8S_POD_NAME)" $root.Release.Name $root.Release.Namespace)) }}
  {{- with toString $values.tracing.share }}{{ $_ := set $env "OTEL_TRACES_SAMPLER_ARG" (dict "value" .) }}{{ end }}
{{- end }}
{{- range $name := $service.settings }}
  {{- $value := get $all $name }}
  {{- if not (or (kindIs "invalid" $value) (eq (toString $value) "")) }}
    {{- $_ := set $env $name (dict "value" (include "social-login.plain" $value)) }}
  {{- end }}
{{- end }}
{{- range $name, $value := $service.env }}
  {{- $_ := set $env $name (kindIs "map" $value | ternary $value (dict "value" (include "social-login.plain" $value))) }}
{{- end }}
{{- include "social-login.envList" $env }}
{{- end }}

{{/* Environment variables of every process. Argument: its resources. */}}
{{- define "social-login.processEnv" -}}
{{- $env := dict "NODE_ENV" (dict "value" "production") }}
{{- with include "social-login.heapMiB" (.limits | default dict) }}
  {{- $_ := set $env "NODE_OPTIONS" (dict "value" (printf "--max-old-space-size=%s" .)) }}
{{- end }}
{{- toYaml $env }}
{{- end }}

{{/* Converts a map of variables to Kubernetes' list. */}}
{{- define "social-login.envList" -}}
{{- range $name, $source := . }}
- name: {{ $name }}
  {{- toYaml $source | nindent 2 }}
{{- end }}
{{- end }}

{{/* Formats a value as text, integers of a million and more without an exponent. */}}
{{- define "social-login.plain" -}}
{{- if kindIs "float64" . }}{{ if eq (floor .) . }}{{ int64 . }}{{ else }}{{ . }}{{ end }}{{ else }}{{ . }}{{ end }}
{{- end }}

{{/* 75 % of a memory limit in MiB; empty without a limit in Mi or Gi. */}}
{{- define "social-login.heapMiB" -}}
{{- $memory := .memory | default "" | toString }}
{{- if hasSuffix "Mi" $memory }}{{ div (mul (trimSuffix "Mi" $memory | int64) 75) 100 }}
{{- else if hasSuffix "Gi" $memory }}{{ div (mul (mulf (trimSuffix "Gi" $memory | float64) 1024 | int64) 75) 100 }}{{ end }}
{{- end }}
