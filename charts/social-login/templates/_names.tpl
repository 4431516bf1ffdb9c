{{/* The prefix of every object's name. With the longest suffix, -migrate-xxxxxxxx, it fits into a label of 63 characters. */}}
{{- define "social-login.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- $full := ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) }}
{{- default $full .Values.fullnameOverride | trunc 32 | trimSuffix "-" }}
{{- end }}

{{/* Selector labels; they never change. Arguments: the root, the component's name. */}}
{{- define "social-login.selector" -}}
{{- $root := index . 0 }}{{ $name := index . 1 -}}
app.kubernetes.io/name: {{ default $root.Chart.Name $root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ $name }}
{{- end }}

{{/* Labels of an object. Arguments: the root, the component's name. */}}
{{- define "social-login.labels" -}}
{{- $root := index . 0 -}}
{{ include "social-login.selector" . }}
app.kubernetes.io/part-of: social-login
app.kubernetes.io/version: {{ $root.Values.image.tag | default $root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The image, always with a registry. */}}
{{- define "social-login.image" -}}
{{- $registry := .Values.global.imageRegistry | default .Values.image.registry }}
{{- with .Values.image }}
{{- if .digest }}{{ printf "%s/%s@%s" $registry .repository .digest }}
{{- else }}{{ printf "%s/%s:%s" $registry .repository (.tag | default (printf "v%s" $.Chart.AppVersion)) }}{{ end }}
{{- end }}
{{- end }}

{{/* The host of a URL. */}}
{{- define "social-login.host" -}}
{{- regexReplaceAll ":[0-9]+$" (urlParse .).host "" }}
{{- end }}
