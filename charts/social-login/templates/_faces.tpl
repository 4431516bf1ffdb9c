{{/* The public endpoints by their key in `httpRoutes` and `ingresses`: host and Service. Only enabled services. */}}
{{- define "social-login.faces" -}}
{{- $services := include "social-login.enabled" . | fromYaml }}
{{- $settings := .Values.settings }}
{{- $faces := dict }}
{{- with $services.apiGateway }}
  {{- $_ := set $faces "webApi" (dict "name" "web-api" "host" (include "social-login.host" $settings.webApiUrl) "service" .fullname "component" .name) }}
  {{- $_ := set $faces "staticWebApi" (dict "name" "static-web-api" "host" (include "social-login.host" $settings.staticWebApiUrl) "service" .fullname "component" .name) }}
{{- end }}
{{- with $services.providerAuth }}
  {{- $_ := set $faces "authorization" (dict "name" "authorization" "host" (include "social-login.host" $settings.authorizationUrl) "service" .fullname "component" .name) }}
{{- end }}
{{- with $services.console }}
  {{- $_ := set $faces "console" (dict "name" "console" "host" (include "social-login.host" $settings.consoleUrl) "service" .fullname "component" .name) }}
{{- end }}
{{- toYaml $faces }}
{{- end }}
