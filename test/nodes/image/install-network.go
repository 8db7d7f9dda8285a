// Command install-network puts the configuration of a pod network, from the first folder, where container runtimes look
// for one, in the second folder; then it waits until it is told to stop. DaemonSets of pod networks do the same.
package main

import (
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	if err := install(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	<-end
}

func install(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		// The kubelet keeps the keys of a ConfigMap in folders that begin with two dots.
		if strings.HasPrefix(entry.Name(), "..") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return err
		}
		// It has another name until it is complete.
		draft := filepath.Join(to, "."+entry.Name())
		if err := os.WriteFile(draft, content, 0o644); err != nil {
			return err
		}
		if err := os.Rename(draft, filepath.Join(to, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}
