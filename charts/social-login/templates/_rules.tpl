{{/*
The groups of a file of rules. The files hold for all releases that a Prometheus watches; in a release's PrometheusRule they are limited
to it, because Prometheus evaluates the PrometheusRules of all releases. For this purpose each selector of the files has `release=~".*"`,
names of Kubernetes objects begin with `.*-(`, and a threshold or objective that values set is a number in parentheses.
Arguments: the root, the path.
*/}}
{{- define "social-login.ruleGroups" -}}
{{- $root := index . 0 }}{{ $path := index . 1 }}
{{- $settings := $root.Values.monitoring.prometheusRules }}
{{- $services := include "social-login.enabled" $root | fromYaml }}
{{- $own := printf "namespace=%q,release=%q" $root.Release.Namespace $root.Release.Name }}
{{- $object := printf "=~\"%s-(" (include "social-login.fullname" $root) }}
{{- $number := "\\([0-9.]+\\)" }}
{{- $groups := list }}
{{- range $group := ($root.Files.Get $path | fromYaml).groups }}
  {{- $rules := list }}
  {{- range $rule := $group.rules }}
    {{- $alert := get $settings.alerts ($rule.alert | default "") | default dict }}
    {{- $expr := $rule.expr }}
    {{- $threshold := $alert.threshold }}
    {{- if eq ($rule.record | default "") "sociallogin:slo_objective:ratio" }}
      {{- $threshold = get $settings.objectives $rule.labels.slo }}
    {{- end }}
    {{- if not (kindIs "invalid" $threshold) }}
      {{- $expr = regexReplaceAll $number $expr (printf "(%v)" $threshold) }}
    {{- end }}
    {{- if eq ($rule.alert | default "") "ServiceAbsent" }}
      {{- $absent := list }}
      {{- range omit $services "console" }}
        {{- $absent = append $absent (printf "absent(sociallogin_build_info{release=~\".*\",service_name=%q})" .name) }}
      {{- end }}
      {{- $expr = join "\nor " $absent }}
    {{- end }}
    {{- $_ := set $rule "expr" ($expr | replace "release=~\".*\"" $own | replace "=~\".*-(" $object) }}
    {{- with $alert.for }}{{ $_ := set $rule "for" . }}{{ end }}
    {{- with $alert.severity }}{{ $_ := set $rule.labels "severity" . }}{{ end }}
    {{- with $settings.runbookBaseUrl }}
      {{- $base := trimSuffix "/" . }}
      {{- with $rule.annotations }}{{ $_ := set . "runbook_url" (printf "%s/%s" $base .runbook_url) }}{{ end }}
    {{- end }}
    {{- $off := or (eq (toString $alert.enabled) "false") (and (eq ($rule.alert | default "") "ConsoleAbsent") (not (hasKey $services "console"))) }}
    {{- if not $off }}{{ $rules = append $rules $rule }}{{ end }}
  {{- end }}
  {{- if $rules }}{{ $groups = append $groups (set $group "rules" $rules) }}{{ end }}
{{- end }}
{{- $groups | toYaml }}
{{- end }}

{{/* What is wrong with `monitoring.prometheusRules.alerts`, as a list. */}}
{{- define "social-login.wrongAlerts" -}}
{{- $wrong := list }}
{{- $expressions := dict }}
{{- range $path, $_ := .Files.Glob "rules/*.yaml" }}
  {{- range ($.Files.Get $path | fromYaml).groups }}{{ range .rules }}
    {{- if .alert }}{{ $_ := set $expressions .alert .expr }}{{ end }}
  {{- end }}{{ end }}
{{- end }}
{{- range $name, $alert := .Values.monitoring.prometheusRules.alerts }}
  {{- $where := printf "monitoring.prometheusRules.alerts.%s" $name }}
  {{- $unknown := keys (omit $alert "enabled" "threshold" "for" "severity") | sortAlpha }}
  {{- if not (hasKey $expressions $name) }}
    {{- $wrong = append $wrong (printf "%s: there is no such alert; docs/operate/runbooks lists all." $where) }}
  {{- else if $unknown }}
    {{- $wrong = append $wrong (printf "%s has enabled, threshold, for and severity, not %s." $where (first $unknown)) }}
  {{- else if and (hasKey $alert "threshold") (not (regexMatch "\\([0-9.]+\\)" (get $expressions $name))) }}
    {{- $wrong = append $wrong (printf "%s has no threshold that can be set." $where) }}
  {{- else if and (hasKey $alert "severity") (not (has $alert.severity (list "critical" "warning" "info"))) }}
    {{- $wrong = append $wrong (printf "%s.severity must be critical, warning or info." $where) }}
  {{- end }}
{{- end }}
{{- $wrong | toYaml }}
{{- end }}
