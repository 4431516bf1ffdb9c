{{- define "dev-deps.databases" -}}
- identity
- profile
- provider-auth
- friendship
- events
- console
{{- end }}

{{/* The existing value, or a new one. Arguments: the root, name of the Secret, key in it, a new value. */}}
{{- define "dev-deps.existing" -}}
{{- $root := index . 0 }}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace (index . 1) | default dict }}
{{- get ($secret.data | default dict) (index . 2) | default (index . 3 | b64enc) }}
{{- end }}

{{- define "dev-deps.labels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ index . 1 }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/part-of: social-login-dev-deps
{{- end }}

{{/* A server with one replica under Pod Security restricted. Arguments: a map of root, name, image, port, user, and differences. */}}
{{- define "dev-deps.server" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "dev-deps.labels" (list .root .name) | nindent 4 }}
spec:
  selector: {{- include "dev-deps.labels" (list .root .name) | nindent 4 }}
  ports:
    - port: {{ .port }}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .name }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- include "dev-deps.labels" (list .root .name) | nindent 4 }}
spec:
  serviceName: {{ .name }}
  replicas: 1
  selector:
    matchLabels: {{- include "dev-deps.labels" (list .root .name) | nindent 6 }}
  template:
    metadata:
      labels: {{- include "dev-deps.labels" (list .root .name) | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        runAsNonRoot: true
        runAsUser: {{ .user }}
        runAsGroup: {{ .user }}
        fsGroup: {{ .user }}
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: {{ .name }}
          image: {{ .image }}
          {{- with .args }}
          args: {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with .env }}
          env: {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - containerPort: {{ .port }}
          readinessProbe:
            tcpSocket: { port: {{ .port }} }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          resources:
            requests: { cpu: 50m, memory: 64Mi }
            limits: { memory: 512Mi }
          volumeMounts: {{- toYaml .mounts | nindent 12 }}
      volumes: {{- toYaml .volumes | nindent 8 }}
  {{- with .claims }}
  volumeClaimTemplates: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
