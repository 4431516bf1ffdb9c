{{/*
The common part of every pod: no token, restricted security context, scheduling. Arguments: the root, the name of the service account,
the source of the scheduling values (`defaults` or a service).
*/}}
{{- define "social-login.podBase" -}}
{{- $root := index . 0 -}}
automountServiceAccountToken: false
enableServiceLinks: false
serviceAccountName: {{ index . 1 }}
securityContext:
  runAsNonRoot: true
  {{- if not (kindIs "invalid" $root.Values.podSecurity.runAsUser) }}
  runAsUser: {{ int $root.Values.podSecurity.runAsUser }}
  runAsGroup: {{ int $root.Values.podSecurity.runAsUser }}
  fsGroup: {{ int $root.Values.podSecurity.runAsUser }}
  {{- end }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with $root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with index . 2 }}
{{- with .dnsConfig }}
dnsConfig: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if kindIs "bool" .hostUsers }}
hostUsers: {{ .hostUsers }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* The common part of every container. Arguments: the root. */}}
{{- define "social-login.containerBase" -}}
image: {{ include "social-login.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* The only writable directory. */}}
{{- define "social-login.tmpVolume" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .Values.podSecurity.tmpSizeLimit }}
{{- end }}

{{- define "social-login.tmpMount" -}}
- name: tmp
  mountPath: /tmp
{{- end }}

{{/* Labels and annotations of a pod. Arguments: the root, the component's name, custom labels and annotations. */}}
{{- define "social-login.podMetadata" -}}
labels:
  {{- include "social-login.labels" . | nindent 2 }}
  {{- with index . 2 }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with index . 3 }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The name of a service's account. */}}
{{- define "social-login.serviceAccount" -}}
{{- .serviceAccount.name | default .fullname }}
{{- end }}

{{/* The pods of a service. Arguments: the root, the service. */}}
{{- define "social-login.pod" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $annotations := deepCopy $service.podAnnotations }}
{{- with $root.Values.secrets.rolloutToken }}{{ $_ := set $annotations "social-login/rollout-token" . }}{{ end }}
{{- $pageLanguages := ternary (include "social-login.pageLanguages" $root) "" (has "PAGE_LANGUAGES_DIRECTORY" $service.settings) }}
{{- if and $pageLanguages (not $root.Values.pageLanguages.existingConfigMap) }}
  {{- $_ := set $annotations "social-login/page-languages" (toJson $root.Values.pageLanguages.files | sha256sum) }}
{{- end -}}
{{- $migrates := and $service.database (eq $root.Values.migrations.mode "initContainer") -}}
metadata: {{- include "social-login.podMetadata" (list $root $service.name $service.podLabels $annotations) | nindent 2 }}
spec:
  {{- include "social-login.podBase" (list $root (include "social-login.serviceAccount" $service) $service) | nindent 2 }}
  terminationGracePeriodSeconds: {{ include "social-login.grace" $service }}
  {{- with include "social-login.spread" (list $root $service) }}
  topologySpreadConstraints: {{- . | trim | nindent 4 }}
  {{- end }}
  {{- if or $migrates $service.extraInitContainers }}
  initContainers:
    {{- with $service.extraInitContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- if $migrates }}
    {{- include "social-login.migrateContainer" . | nindent 4 }}
    {{- end }}
  {{- end }}
  containers:
    - name: {{ $service.name }}
      {{- include "social-login.containerBase" $root | nindent 6 }}
      args: [services/{{ $service.name }}/main.js]
      env: {{- include "social-login.env" . | trim | nindent 8 }}
      {{- with $service.extraEnvFrom }}
      envFrom: {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- if $service.port }}
        - name: http
          containerPort: {{ $service.port }}
        {{- end }}
        - name: ops
          containerPort: 9090
      {{- include "social-login.probes" $service.probes | nindent 6 }}
      {{- $lifecycle := deepCopy $service.lifecycle }}
      {{- with int $service.shutdown.preStopSeconds }}
      {{- $lifecycle = merge $lifecycle (dict "preStop" (dict "sleep" (dict "seconds" .))) }}
      {{- end }}
      {{- with $lifecycle }}
      lifecycle: {{- toYaml . | nindent 8 }}
      {{- end }}
      resources: {{- toYaml $service.resources | nindent 8 }}
      volumeMounts:
        {{- include "social-login.tmpMount" . | nindent 8 }}
        {{- include "social-login.fileMount" "files" | nindent 8 }}
        {{- if $pageLanguages }}
        - name: page-languages
          mountPath: {{ include "social-login.pageLanguagesPath" $root }}
          readOnly: true
        {{- end }}
        {{- range $name, $mount := $service.extraVolumeMounts }}
        - name: {{ $name }}
          {{- toYaml $mount | nindent 10 }}
        {{- end }}
    {{- with $service.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "social-login.tmpVolume" $root | nindent 4 }}
    {{- include "social-login.fileVolume" (list "files" (include "social-login.serviceFiles" . | fromYamlArray)) | nindent 4 }}
    {{- if $migrates }}
    {{- include "social-login.migrateVolume" . | nindent 4 }}
    {{- end }}
    {{- with $pageLanguages }}
    - name: page-languages
      configMap:
        name: {{ . }}
        defaultMode: 0440
    {{- end }}
    {{- range $name, $volume := $service.extraVolumes }}
    - name: {{ $name }}
      {{- toYaml $volume | nindent 6 }}
    {{- end }}
{{- end }}

{{/* The three probes. */}}
{{- define "social-login.probes" -}}
startupProbe:
  httpGet: { path: /startupz, port: ops }
  {{- toYaml .startup | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: ops }
  {{- toYaml .readiness | nindent 2 }}
livenessProbe:
  httpGet: { path: /livez, port: ops }
  {{- toYaml .liveness | nindent 2 }}
{{- end }}

{{/* Spread over zones and nodes. Arguments: the root, the service. */}}
{{- define "social-login.spread" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- range $topology, $when := dict "topology.kubernetes.io/zone" $service.spread.zones "kubernetes.io/hostname" $service.spread.nodes }}
{{- if ne $when "Off" }}
- maxSkew: 1
  topologyKey: {{ $topology }}
  whenUnsatisfiable: {{ $when }}
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- include "social-login.selector" (list $root $service.name) | nindent 6 }}
{{- end }}
{{- end }}
{{- end }}
