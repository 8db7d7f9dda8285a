//go:build tools

// Package tools pins Crossplane core, which is built beside the renderer of its Helm chart.
package tools

import _ "github.com/crossplane/crossplane/v2/cmd/crossplane"
