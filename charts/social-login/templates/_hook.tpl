{{/* Annotations of hooks before install and upgrade. Argument: the weight. */}}
{{- define "social-login.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}
