{{/* When a kubelet asks the registry for an image: a tag that ends with -SNAPSHOT is written again by each build. */}}
{{- define "exaplane.pullPolicy" -}}
{{- if hasSuffix "-SNAPSHOT" . }}Always{{ else }}IfNotPresent{{ end }}
{{- end }}

{{/* Rules about the form of values. In the schema they would be patterns, whose messages show the pattern alone. */}}
{{- define "exaplane.checks" -}}
{{- range $name, $image := .Values.images }}
{{- if not (regexMatch `^[^\s@]+/[^\s/:@]+(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}(@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$` $image) }}
{{- fail (printf "images.%s: '%s' must be a full name with a tag or a digest; write it as registry.example.org/exaplane/%s:0.1.0" $name $image $name) }}
{{- end }}
{{- end }}
{{- $registry := .Values.controlPlanes.images.registry }}
{{- if or (contains "://" $registry) (not (regexMatch `^[A-Za-z0-9[][^\s]*[^\s/]$` $registry)) }}
{{- fail (printf "controlPlanes.images.registry: '%s' must be a host with an optional port and path, without a scheme and without a slash at the end; write it as registry.example.org/kubernetes" $registry) }}
{{- end }}
{{- $secret := .Values.controlPlanes.images.pullSecret }}
{{- if and $secret (not (regexMatch `^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$` $secret)) }}
{{- fail (printf "controlPlanes.images.pullSecret: '%s' must be the name of a Secret, of lower-case letters, digits, '-' and '.'; correct the name" $secret) }}
{{- end }}
{{- $limit := .Values.fleet.rolloutLimit }}
{{- if not (regexMatch `^[1-9][0-9]*[smh]$` $limit) }}
{{- fail (printf "fleet.rolloutLimit: '%s' must be a number with s, m or h, and more than 0; write it as 30m" $limit) }}
{{- end }}
{{- $interval := .Values.monitoring.podMonitors.interval }}
{{- if not (regexMatch `^[1-9][0-9]*(ms|s|m)$` $interval) }}
{{- fail (printf "monitoring.podMonitors.interval: '%s' must be a number with ms, s or m, and more than 0; write it as 30s" $interval) }}
{{- end }}
{{- $quantity := `^([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$` }}
{{- range $kind, $amounts := .Values.resources }}
{{- range $name, $amount := $amounts }}
{{- if not (regexMatch $quantity (toString $amount)) }}
{{- fail (printf "resources.%s.%s: '%v' must be a quantity of Kubernetes; write it as 500m for cores, or 2Gi for memory" $kind $name $amount) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
