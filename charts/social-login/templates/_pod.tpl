{{/* What every pod has: no token, no rights, nothing to write but /tmp. Arguments: the root, name of the service account. */}}
{{- define "social-login.podBase" -}}
{{- $root := index . 0 -}}
automountServiceAccountToken: false
enableServiceLinks: false
serviceAccountName: {{ index . 1 }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ int $root.Values.podSecurity.runAsUser }}
  runAsGroup: {{ int $root.Values.podSecurity.runAsUser }}
  fsGroup: {{ int $root.Values.podSecurity.runAsUser }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with $root.Values.global.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* What every container has. Arguments: the root. */}}
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

{{/* Mounts of every container. */}}
{{- define "social-login.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if or .Values.trust.existingSecret .Values.trust.existingConfigMap }}
- name: trust
  mountPath: /etc/social-login/trust
  readOnly: true
{{- end }}
{{- end }}

{{/* Volumes of every pod. */}}
{{- define "social-login.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .Values.podSecurity.tmpSizeLimit }}
{{- with .Values.trust }}
{{- if or .existingSecret .existingConfigMap }}
- name: trust
  {{- if .existingSecret }}
  secret:
    secretName: {{ .existingSecret }}
  {{- else }}
  configMap:
    name: {{ .existingConfigMap }}
  {{- end }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end }}
{{- end }}
{{- end }}

{{/* Name of a service's account. */}}
{{- define "social-login.serviceAccount" -}}
{{- .serviceAccount.name | default .fullname }}
{{- end }}

{{/* The pods of a service. Arguments: the root, the service. */}}
{{- define "social-login.pod" -}}
{{- $root := index . 0 }}{{ $service := index . 1 }}
{{- $args := list $root $service.name -}}
metadata:
  labels:
    {{- include "social-login.labels" $args | nindent 4 }}
    {{- with $service.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- $annotations := deepCopy $service.podAnnotations }}
  {{- with $root.Values.secrets.rolloutToken }}{{ $_ := set $annotations "social-login/rollout-token" . }}{{ end }}
  {{- with $annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "social-login.podBase" (list $root (include "social-login.serviceAccount" $service)) | nindent 2 }}
  {{- if kindIs "bool" $service.hostUsers }}
  hostUsers: {{ $service.hostUsers }}
  {{- end }}
  terminationGracePeriodSeconds: {{ include "social-login.grace" $service }}
  {{- with $service.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $service.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $service.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $service.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with include "social-login.spread" (list $root $service) }}
  topologySpreadConstraints: {{- . | trim | nindent 4 }}
  {{- end }}
  {{- if and $service.database (eq $root.Values.migrations.mode "initContainer") }}
  initContainers: {{- include "social-login.migrateContainer" . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ $service.name }}
      {{- include "social-login.containerBase" $root | nindent 6 }}
      args: [services/{{ $service.name }}/main.ts]
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
      {{- with int $service.shutdown.preStopSeconds }}
      lifecycle:
        preStop:
          sleep:
            seconds: {{ . }}
      {{- end }}
      resources: {{- toYaml $service.resources | nindent 8 }}
      volumeMounts:
        {{- include "social-login.mounts" $root | nindent 8 }}
        {{- if has "SEAL_KEYS_FILE" $service.settings }}
        - name: seal-keys
          mountPath: /etc/social-login/seal-keys
          readOnly: true
        {{- end }}
        {{- range $name, $mount := $service.extraVolumeMounts }}
        - name: {{ $name }}
          {{- toYaml $mount | nindent 10 }}
        {{- end }}
  volumes:
    {{- include "social-login.volumes" $root | nindent 4 }}
    {{- if has "SEAL_KEYS_FILE" $service.settings }}
    - name: seal-keys
      secret:
        secretName: {{ include "social-login.secretName" (list $root "seal-keys") }}
        defaultMode: 0440
        items:
          - key: {{ $root.Values.secrets.sealKeys.key }}
            path: ring
    {{- end }}
    {{- range $name, $volume := $service.extraVolumes }}
    - name: {{ $name }}
      {{- toYaml $volume | nindent 6 }}
    {{- end }}
{{- end }}

{{/* Probes of three depths. */}}
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
