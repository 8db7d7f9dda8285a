// Benchmark asks Trivy's checks for the CIS Kubernetes Benchmark.
//
//	benchmark asks     prints what to find out on a node: commands, their parameters, fields of the kubelet, controls
//	benchmark FOLDER   prints what the checks say of the Kubernetes objects in the files of a folder
//
// Both print JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	checks "github.com/aquasecurity/trivy-checks"
	"github.com/aquasecurity/trivy-checks/pkg/compliance"
	"github.com/aquasecurity/trivy/pkg/iac/rego"
	"github.com/aquasecurity/trivy/pkg/iac/scan"
	"github.com/aquasecurity/trivy/pkg/iac/types"
	"gopkg.in/yaml.v3"
)

const controls = "k8s-cis-1.23"

// Prefix of the checks of nodes and control planes; others are about workloads.
const ofNodes = "KCV-"

type verdict struct {
	Check  string `json:"check"`
	Title  string `json:"title"`
	File   string `json:"file"`
	Passed bool   `json:"passed"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: benchmark asks | FOLDER")
		os.Exit(2)
	}
	answer, err := run(os.Args[1])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot run the benchmark for %q: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func run(what string) (any, error) {
	if what == "asks" {
		return asks()
	}
	return verdicts(what)
}

// Texts of YAML files by path.
func asks() (map[string]string, error) {
	texts := map[string]string{"controls": compliance.GetSpec(controls)}
	for folder, files := range map[string]fs.FS{
		"commands/kubernetes": checks.EmbeddedK8sCommandsFileSystem,
		"commands/config":     checks.EmbeddedConfigCommandsFileSystem,
	} {
		entries, err := fs.ReadDir(files, folder)
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			path := folder + "/" + entry.Name()
			text, err := fs.ReadFile(files, path)
			if err != nil {
				return nil, err
			}
			texts[path] = string(text)
		}
	}
	return texts, nil
}

// The scanner of Kubernetes files loses empty lists, by which some checks see that nothing is set.
func verdicts(folder string) ([]verdict, error) {
	scanner := rego.NewScanner(rego.WithEmbeddedPolicies(true), rego.WithEmbeddedLibraries(true))
	if err := scanner.LoadPolicies(nil); err != nil {
		return nil, err
	}
	inputs, err := objects(folder)
	if err != nil {
		return nil, err
	}
	results, err := scanner.ScanInput(context.Background(), types.SourceKubernetes, inputs...)
	if err != nil {
		return nil, err
	}
	found := []verdict{}
	for _, one := range results {
		if rule := one.Rule(); strings.HasPrefix(rule.ID, ofNodes) {
			file := one.Metadata().Range().GetFilename()
			found = append(found, verdict{rule.ID, rule.Summary, file, one.Status() == scan.StatusPassed})
		}
	}
	if len(found) == 0 {
		return nil, errors.New("no check ran")
	}
	return found, nil
}

func objects(folder string) ([]rego.Input, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	inputs := []rego.Input{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := yaml.Unmarshal(text, &object); err != nil {
			return nil, err
		}
		inputs = append(inputs, rego.Input{Path: entry.Name(), FS: os.DirFS(folder), Contents: object})
	}
	return inputs, nil
}
