//go:build tools

// Package cli pins the Crossplane command line and a registry to push packages to.
package cli

import (
	_ "github.com/crossplane/cli/v2/cmd/crossplane"
	_ "github.com/google/go-containerregistry/cmd/registry"
)
