{{/* The rules of files/rules.yaml for this release's `job`, without the alerts that are disabled. */}}
{{- define "orch.rules" -}}
{{- $text := .Files.Get "files/rules.yaml" | replace "job=\"orch\"" (printf "job=%q" (include "orch.job" .)) -}}
{{- $values := .Values.metrics.prometheusRule -}}
{{- $groups := list -}}
{{- range ($text | fromYaml).groups -}}
{{- $rules := list -}}
{{- range .rules -}}
{{- if not (hasKey . "alert") -}}
{{- $rules = append $rules . -}}
{{- else if not (has .alert $values.disabled) -}}
{{- $rules = append $rules (set . "labels" (merge (dict) $values.alertLabels .labels)) -}}
{{- end -}}
{{- end -}}
{{- if $rules -}}{{- $groups = append $groups (set . "rules" $rules) -}}{{- end -}}
{{- end -}}
{{- dict "groups" $groups | toYaml -}}
{{- end -}}
