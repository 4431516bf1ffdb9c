{{/*
The public endpoints by their key in `httpRoutes` and `ingresses`: host, path and Service. Without a host, they match every host that no
other endpoint has. Only enabled services.
*/}}
{{- define "social-login.faces" -}}
{{- $services := include "social-login.enabled" . | fromYaml }}
{{- $settings := .Values.settings }}
{{- $faces := dict }}
{{- with $services.apiGateway }}
  {{- $_ := set $faces "webApi" (dict "name" "web-api" "host" (include "social-login.host" $settings.webApiUrl) "service" .fullname "component" .name) }}
  {{- $_ := set $faces "staticWebApi" (dict "name" "static-web-api" "host" (include "social-login.host" $settings.staticWebApiUrl) "service" .fullname "component" .name) }}
  {{- $_ := set $faces "siteWebApiHosts" (dict "name" "site-web-api-hosts" "path" "/api" "service" .fullname "component" .name) }}
{{- end }}
{{- with $services.providerAuth }}
  {{- $_ := set $faces "authorization" (dict "name" "authorization" "host" (include "social-login.host" $settings.authorizationUrl) "service" .fullname "component" .name) }}
  {{- $_ := set $faces "siteHosts" (dict "name" "site-hosts" "service" .fullname "component" .name) }}
{{- end }}
{{- with $services.console }}
  {{- $_ := set $faces "console" (dict "name" "console" "host" (include "social-login.host" $settings.consoleUrl) "service" .fullname "component" .name) }}
{{- end }}
{{- toYaml $faces }}
{{- end }}

{{/* The hosts of an endpoint, as a list; empty: every host. Arguments: the endpoint, its further hosts. */}}
{{- define "social-login.hostsOf" -}}
{{- $face := index . 0 }}
{{- concat (ternary (list $face.host) list (hasKey $face "host")) (index . 1) | toYaml }}
{{- end }}
