// The first process of each pod in the cluster of `npm run check:cluster -- --local`: it holds the pod's namespaces and waits.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}
