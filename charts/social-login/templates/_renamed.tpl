{{/* Sentences about values that went away and are still set, by files/renamed.yaml. */}}
{{- define "social-login.renamed" -}}
{{- $wrong := list }}
{{- range $gone := .Files.Get "files/renamed.yaml" | fromYamlArray }}
  {{- $paths := list $gone.value }}
  {{- if hasPrefix "defaults." $gone.value }}
    {{- range $key, $_ := $.Values.services }}{{ $paths = append $paths (printf "services.%s.%s" $key (trimPrefix "defaults." $gone.value)) }}{{ end }}
  {{- end }}
  {{- range $path := $paths }}
    {{- $at := $.Values }}
    {{- $set := true }}
    {{- range $key := splitList "." $path }}
      {{- $set = and $set (kindIs "map" $at) (hasKey $at $key) }}
      {{- if $set }}{{ $at = get $at $key }}{{ end }}
    {{- end }}
    {{- if $set }}
      {{- $instead := printf "set %s instead" $gone.instead }}
      {{- $wrong = append $wrong (printf "%s went away in %s: %s." $path $gone.since (ternary $instead "remove it" (hasKey $gone "instead"))) }}
    {{- end }}
  {{- end }}
{{- end }}
{{- toYaml $wrong }}
{{- end }}
