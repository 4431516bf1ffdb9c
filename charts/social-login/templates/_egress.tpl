{{/* An egress rule: a port, and peers; every peer if none is given. */}}
{{- define "social-login.egress" -}}
- ports:
    - { protocol: TCP, port: {{ int .port }} }
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/* Egress of every pod: DNS, and the rules of the values. */}}
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

{{/* An egress rule for HTTPS to the internet, IPv4 and IPv6. Argument: the excluded addresses. */}}
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
