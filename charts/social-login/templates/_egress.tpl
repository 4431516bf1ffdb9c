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

{{/* An egress rule for each DNS server of the proofs of hosts. Argument: the servers, each with or without a port. */}}
{{- define "social-login.proofDnsEgress" -}}
{{- range . }}
{{- $port := 53 }}
{{- if regexMatch "^[0-9.]+:[0-9]+$|\\]:[0-9]+$" . }}{{ $port = regexFind "[0-9]+$" . }}{{ end }}
{{- $address := regexReplaceAll "^([0-9.]+):[0-9]+$" . "${1}" | regexFind "[0-9a-f:.]+" }}
- ports:
    - { protocol: UDP, port: {{ $port }} }
    - { protocol: TCP, port: {{ $port }} }
  to:
    - ipBlock: { cidr: {{ printf "%s/%s" $address (ternary "128" "32" (contains ":" $address)) | quote }} }
{{- end }}
{{- end }}

{{/* An egress rule to the internet, IPv4 and IPv6. Arguments: the ports, the excluded addresses. */}}
{{- define "social-login.internetEgress" -}}
{{- $except := dict "0.0.0.0/0" list "::/0" list }}
{{- range index . 1 }}
  {{- $family := ternary "::/0" "0.0.0.0/0" (contains ":" .) }}
  {{- $_ := set $except $family (append (get $except $family) .) }}
{{- end -}}
- ports:
    {{- range index . 0 }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
  to:
    {{- range $cidr, $addresses := $except }}
    - ipBlock:
        cidr: {{ $cidr | quote }}
        {{- with $addresses }}
        except: {{- toYaml . | nindent 10 }}
        {{- end }}
    {{- end }}
{{- end }}
