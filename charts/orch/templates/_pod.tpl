{{/* The command line: the chart's flags with the user's over them, sorted. */}}
{{- define "orch.args" -}}
{{- $v := .Values -}}
{{- $args := dict
  "advertise-address" "$(POD_IP)"
  "data-dir" "/var/lib/orch"
  "logging-format" $v.logging.format
  "naming" $v.naming
  "secure-port" "6443"
  "shutdown-delay-duration" (printf "%ds" (int $v.shutdown.delaySeconds))
  "shutdown-send-retry-after" "true"
  "tls-cert-file" "/etc/orch/tls/tls.crt"
  "tls-private-key-file" "/etc/orch/tls/tls.key"
  "token-auth-file" "/etc/orch/auth/tokens.csv"
  "v" (int $v.logging.verbosity | toString)
-}}
{{- if $v.auth.clientCA.existingSecret -}}
{{- $_ := set $args "client-ca-file" (printf "/etc/orch/client-ca/%s" $v.auth.clientCA.key) -}}
{{- end -}}
{{- if include "orch.onEtcd" . -}}
{{- $_ := set $args "etcd-servers" (join "," $v.etcd.endpoints) -}}
{{- $_ := set $args "etcd-prefix" $v.etcd.prefix -}}
{{- if $v.etcd.tls.existingSecret -}}
{{- $_ := set $args "etcd-cafile" "/etc/orch/etcd/ca.crt" -}}
{{- if $v.etcd.tls.clientCertificate -}}
{{- $_ := set $args "etcd-certfile" "/etc/orch/etcd/tls.crt" -}}
{{- $_ := set $args "etcd-keyfile" "/etc/orch/etcd/tls.key" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $v.extraArgs -}}
{{- $_ := set $args $name (toString $value) -}}
{{- end -}}
{{- range $name := keys $args | sortAlpha }}
- {{ printf "--%s=%s" $name (get $args $name) | quote }}
{{- end -}}
{{- end -}}

{{/* A probe of a path, with the values' periods. */}}
{{- define "orch.probe" -}}
httpGet:
  path: {{ .path }}
  port: https
  scheme: HTTPS
{{ toYaml .probe }}
{{- end -}}

{{/* The pod template of the Deployment and of the StatefulSet. */}}
{{- define "orch.podTemplate" -}}
{{- include "orch.check" . -}}
metadata:
  annotations:
    checksum/credentials: {{ include "orch.checksum" . }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- /* Without versions: a new chart doesn't restart what it doesn't change. */}}
  labels:
    {{- include "orch.selectorLabels" . | nindent 4 }}
    {{- with .Values.commonLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "orch.serviceAccountName" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.podSecurityContext }}
  securityContext:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: orch
      image: {{ include "orch.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args:
        {{- include "orch.args" . | trim | nindent 8 }}
      env:
        - name: POD_IP
          valueFrom:
            fieldRef:
              fieldPath: status.podIP
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      ports:
        - name: https
          containerPort: 6443
          protocol: TCP
      startupProbe:
        {{- include "orch.probe" (dict "path" "/readyz" "probe" .Values.startupProbe) | nindent 8 }}
      livenessProbe:
        {{- include "orch.probe" (dict "path" "/livez" "probe" .Values.livenessProbe) | nindent 8 }}
      readinessProbe:
        {{- include "orch.probe" (dict "path" "/readyz" "probe" .Values.readinessProbe) | nindent 8 }}
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.securityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        {{- include "orch.volumeMounts" . | nindent 8 }}
  volumes:
    {{- include "orch.volumes" . | trim | nindent 4 }}
{{- end -}}

{{- define "orch.volumeMounts" -}}
- name: data
  mountPath: /var/lib/orch
- name: tmp
  mountPath: /tmp
- name: tls
  mountPath: /etc/orch/tls
  readOnly: true
- name: auth
  mountPath: /etc/orch/auth
  readOnly: true
{{- if .Values.auth.clientCA.existingSecret }}
- name: client-ca
  mountPath: /etc/orch/client-ca
  readOnly: true
{{- end }}
{{- if and (include "orch.onEtcd" .) .Values.etcd.tls.existingSecret }}
- name: etcd
  mountPath: /etc/orch/etcd
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Volumes but for the claim that a StatefulSet makes. */}}
{{- define "orch.volumes" -}}
{{- $p := .Values.persistence -}}
{{- if and (not (include "orch.onEtcd" .)) $p.enabled $p.existingClaim }}
- name: data
  persistentVolumeClaim:
    claimName: {{ $p.existingClaim }}
{{- else if or (include "orch.onEtcd" .) (not $p.enabled) }}
- name: data
  emptyDir: {}
{{- end }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
- name: tls
  secret:
    secretName: {{ include "orch.tlsSecret" . }}
    defaultMode: 0440
- name: auth
  secret:
    secretName: {{ include "orch.authSecret" . }}
    defaultMode: 0440
    items:
      - key: tokens.csv
        path: tokens.csv
{{- with .Values.auth.clientCA.existingSecret }}
- name: client-ca
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- if and (include "orch.onEtcd" .) .Values.etcd.tls.existingSecret }}
- name: etcd
  secret:
    secretName: {{ .Values.etcd.tls.existingSecret }}
    defaultMode: 0440
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
