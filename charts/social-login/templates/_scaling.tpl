{{/* Scales up quickly and down slowly. */}}
{{- define "social-login.scalingBehavior" -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies:
    - { type: Percent, value: 100, periodSeconds: 30 }
scaleDown:
  stabilizationWindowSeconds: {{ int .scaleDownSeconds }}
  policies:
    - { type: Percent, value: 25, periodSeconds: 60 }
{{- end }}
