{{/*
What is generated once and kept: certificates and tokens. The first template that asks makes it, from what the cluster
has where it has some, and the others of the same rendering are given the same; so that checksums agree with the secrets.
*/}}
{{- define "orch.generate" -}}
{{- if not (hasKey .Values "generated") -}}
{{- $generated := dict -}}
{{- if not (or .Values.tls.existingSecret .Values.tls.certManager.enabled) -}}
{{- $_ := set $generated "tls" (include "orch.generateTls" . | fromJson) -}}
{{- end -}}
{{- if not .Values.auth.existingSecret -}}
{{- $_ := set $generated "tokens" (include "orch.generateTokens" . | fromJson) -}}
{{- end -}}
{{- $_ := set .Values "generated" $generated -}}
{{- end -}}
{{- end -}}

{{/* An authority and a serving certificate, as JSON with PEM texts. */}}
{{- define "orch.generateTls" -}}
{{- $dns := include "orch.dnsNames" . | fromJsonArray -}}
{{- $addresses := include "orch.addresses" . | fromJsonArray -}}
{{- $names := concat $dns $addresses | join "," -}}
{{- $now := now | unixEpoch | int64 -}}
{{- $authority := lookup "v1" "Secret" .Release.Namespace (printf "%s-ca" (include "orch.fullname" .)) -}}
{{- $kept := lookup "v1" "Secret" .Release.Namespace (include "orch.tlsSecret" .) -}}
{{- $ca := dict -}}
{{- if $authority -}}
{{- $ca = buildCustomCert (index $authority.data "tls.crt") (index $authority.data "tls.key") -}}
{{- else -}}
{{- $ca = genCA (printf "%s-ca" (include "orch.fullname" .)) (int .Values.tls.selfSigned.authorityDays) -}}
{{- end -}}
{{- $result := dict "authority" $ca.Cert "authorityKey" $ca.Key "names" $names -}}
{{- $notes := dict -}}
{{- if and $authority $kept -}}{{- $notes = default dict $kept.metadata.annotations -}}{{- end -}}
{{- if and (eq (get $notes "orch.io/names") $names) (lt $now (get $notes "orch.io/renew-after" | int64)) -}}
{{- $_ := set $result "certificate" (index $kept.data "tls.crt" | b64dec) -}}
{{- $_ := set $result "key" (index $kept.data "tls.key" | b64dec) -}}
{{- $_ := set $result "renewAfter" (get $notes "orch.io/renew-after") -}}
{{- else -}}
{{- $days := int .Values.tls.selfSigned.days -}}
{{- $pair := genSignedCert (include "orch.host" .) $addresses $dns $days $ca -}}
{{- $_ := set $result "certificate" $pair.Cert -}}
{{- $_ := set $result "key" $pair.Key -}}
{{- $_ := set $result "renewAfter" (add $now (div (mul $days 86400 2) 3) | toString) -}}
{{- end -}}
{{- $result | toJson -}}
{{- end -}}

{{- define "orch.generateTokens" -}}
{{- $kept := lookup "v1" "Secret" .Release.Namespace (include "orch.authSecret" .) -}}
{{- $data := dict -}}
{{- if $kept -}}{{- $data = default dict $kept.data -}}{{- end -}}
{{- $admin := hasKey $data "admin-token" | ternary (get $data "admin-token" | b64dec) (randAlphaNum 48) -}}
{{- $monitoring := hasKey $data "monitoring-token" | ternary (get $data "monitoring-token" | b64dec) (randAlphaNum 48) -}}
{{- dict "admin" $admin "monitoring" $monitoring | toJson -}}
{{- end -}}

{{/* The authority that clients verify the server by, PEM; empty where it isn't known (yet). */}}
{{- define "orch.authority" -}}
{{- include "orch.generate" . -}}
{{- if .Values.generated.tls -}}
{{- .Values.generated.tls.authority -}}
{{- else -}}
{{- $secret := lookup "v1" "Secret" .Release.Namespace (include "orch.tlsSecret" .) -}}
{{- if $secret -}}{{- get (default dict $secret.data) "ca.crt" | b64dec -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* Changes when something changes that a gateway reads at its start only. It follows its certificate by itself. */}}
{{- define "orch.checksum" -}}
{{- include "orch.generate" . -}}
{{- $parts := list (toJson .Values.generated.tokens) -}}
{{- range list .Values.auth.existingSecret .Values.auth.clientCA.existingSecret .Values.etcd.tls.existingSecret -}}
{{- if . -}}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace . -}}
{{- if $secret -}}{{- $parts = append $parts (toJson $secret.data) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- join "\n" $parts | sha256sum -}}
{{- end -}}
