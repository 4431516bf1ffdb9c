{{/* A rule that lets go out: a port, and peers, all of them where none are named. */}}
{{- define "social-login.egress" -}}
- ports:
    - { protocol: TCP, port: {{ int .port }} }
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
