{{- define "exaplane.sampleVersion" }}1.37.2{{ end }}
