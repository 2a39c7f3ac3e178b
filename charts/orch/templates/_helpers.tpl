{{/* The chart's name, as labels have it. */}}
{{- define "orch.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What names of objects begin with. Kept short enough for the suffixes that follow. */}}
{{- define "orch.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $both := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $both .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "orch.selectorLabels" -}}
app.kubernetes.io/name: {{ include "orch.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "orch.labels" -}}
{{ include "orch.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "orch.image" -}}
{{- with .Values.image -}}
{{- $repository := empty .registry | ternary .repository (printf "%s/%s" .registry .repository) -}}
{{- if .digest -}}{{ $repository }}@{{ .digest }}{{- else -}}{{ $repository }}:{{ default $.Chart.AppVersion .tag }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "orch.serviceAccountName" -}}
{{- default (.Values.serviceAccount.create | ternary (include "orch.fullname" .) "default") .Values.serviceAccount.name -}}
{{- end -}}

{{/* The service's name in the cluster's DNS, which is the one that clients inside verify. */}}
{{- define "orch.host" -}}
{{- printf "%s.%s.svc" (include "orch.fullname" .) .Release.Namespace -}}
{{- end -}}

{{/* "true" on an etcd, else empty: on the embedded store. */}}
{{- define "orch.onEtcd" -}}
{{- if .Values.etcd.endpoints -}}true{{- end -}}
{{- end -}}

{{- define "orch.tlsSecret" -}}
{{- default (printf "%s-tls" (include "orch.fullname" .)) .Values.tls.existingSecret -}}
{{- end -}}

{{- define "orch.authSecret" -}}
{{- default (printf "%s-auth" (include "orch.fullname" .)) .Values.auth.existingSecret -}}
{{- end -}}

{{/* Label `job` of this release's series. */}}
{{- define "orch.job" -}}
{{- default (include "orch.fullname" .) .Values.metrics.serviceMonitor.job -}}
{{- end -}}

{{/* DNS names that serving certificates are for, a JSON array. */}}
{{- define "orch.dnsNames" -}}
{{- $names := list (include "orch.fullname" .) (printf "%s.%s" (include "orch.fullname" .) .Release.Namespace) (include "orch.host" .) (printf "%s.cluster.local" (include "orch.host" .)) "localhost" -}}
{{- /* How clients inside of the control plane know it; the profile's own service. */ -}}
{{- range list "" ".default" ".default.svc" ".default.svc.cluster.local" -}}
{{- $names = append $names (printf "%s%s" $.Values.naming .) -}}
{{- end -}}
{{- range .Values.tls.extraNames -}}
{{- if not (include "orch.isAddress" .) -}}{{- $names = append $names . -}}{{- end -}}
{{- end -}}
{{- $names | uniq | toJson -}}
{{- end -}}

{{/* Addresses that serving certificates are for, a JSON array. */}}
{{- define "orch.addresses" -}}
{{- $addresses := list "127.0.0.1" "::1" -}}
{{- range .Values.tls.extraNames -}}
{{- if include "orch.isAddress" . -}}{{- $addresses = append $addresses . -}}{{- end -}}
{{- end -}}
{{- $addresses | uniq | toJson -}}
{{- end -}}

{{- define "orch.isAddress" -}}
{{- if or (regexMatch "^[0-9]+(\\.[0-9]+){3}$" .) (contains ":" .) -}}true{{- end -}}
{{- end -}}

{{/* What the schema can't say. */}}
{{- define "orch.check" -}}
{{- if le (int .Values.terminationGracePeriodSeconds) (int .Values.shutdown.delaySeconds) -}}
{{- fail (printf "terminationGracePeriodSeconds (%d) must be more than shutdown.delaySeconds (%d): pods would be killed while they still serve" (int .Values.terminationGracePeriodSeconds) (int .Values.shutdown.delaySeconds)) -}}
{{- end -}}
{{- end -}}
