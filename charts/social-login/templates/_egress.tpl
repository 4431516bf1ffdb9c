{{/* A rule that lets go out: a port, and peers, all of them where none are named. */}}
{{- define "social-login.egress" -}}
- ports:
    - { protocol: TCP, port: {{ int .port }} }
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* What every pod is let do: ask for names, and what values add. */}}
{{- define "social-login.commonEgress" -}}
- ports:
    - { protocol: UDP, port: {{ int .dns.port }} }
    - { protocol: TCP, port: {{ int .dns.port }} }
  {{- with .dns.to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- with .extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* A rule that lets go to the internet's HTTPS, of both address families. Argument: the addresses that are not meant. */}}
{{- define "social-login.internetEgress" -}}
{{- $except := dict "0.0.0.0/0" list "::/0" list }}
{{- range . }}
  {{- $family := ternary "::/0" "0.0.0.0/0" (contains ":" .) }}
  {{- $_ := set $except $family (append (get $except $family) .) }}
{{- end -}}
- ports:
    - { protocol: TCP, port: 443 }
  to:
    {{- range $cidr, $addresses := $except }}
    - ipBlock:
        cidr: {{ $cidr | quote }}
        {{- with $addresses }}
        except: {{- toYaml . | nindent 10 }}
        {{- end }}
    {{- end }}
{{- end }}
