// The functions of queue.go that have no body are kube-scheduler's own; the compiler takes them so only if there is an assembly file.
