/**
 * Builds readers of configuration files from Go modules of those who read them on a machine: flags and configuration
 * parser of k3s, types of k0s and of Canonical Kubernetes. Each is a program of one file that also refuses what the
 * real reader ignores or only warns about. The Go proxy has these releases of them, and none of RKE2 and MicroK8s.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './cache.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

interface Source {
  readonly module: string;
  readonly version: string;
  /** What else its program imports. */
  readonly requires?: string;
  readonly program: string;
}

/** Prints ok, or why the file is refused. */
const MAIN = `
func main() {
	if err := judge(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ok")
}
`;

/** The names of fields that a type of Go has none for, also where its own reader is not strict. */
const UNKNOWN = `
func unknown(value any, of reflect.Type, path string) error {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	// Contents that another program reads.
	if of.String() == "runtime.RawExtension" {
		return nil
	}
	switch given := value.(type) {
	case []any:
		for index, one := range given {
			if of.Kind() == reflect.Slice {
				if err := unknown(one, of.Elem(), fmt.Sprintf("%s[%d]", path, index)); err != nil {
					return err
				}
			}
		}
	case map[string]any:
		for name, one := range given {
			at := path + "." + name
			if of.Kind() == reflect.Map {
				if err := unknown(one, of.Elem(), at); err != nil {
					return err
				}
			}
			if of.Kind() == reflect.Struct {
				inner, found := fieldOf(of, name)
				if !found {
					return fmt.Errorf("unknown field %s", at)
				}
				if err := unknown(one, inner, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func fieldOf(of reflect.Type, name string) (reflect.Type, bool) {
	for _, field := range reflect.VisibleFields(of) {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name {
			return field.Type, true
		}
	}
	return nil, false
}
`;

const K0S = `package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/k0sproject/k0s/pkg/apis/k0s/v1beta1"
	"sigs.k8s.io/yaml"
)

func judge() error {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	config, err := v1beta1.ConfigFromBytes(text)
	if err != nil {
		return err
	}
	var given map[string]any
	if err := yaml.Unmarshal(text, &given); err != nil {
		return err
	}
	return errors.Join(append(config.Validate(), unknown(given["spec"], reflect.TypeFor[v1beta1.ClusterSpec](), "spec"))...)
}
${UNKNOWN}${MAIN}`;

/** Its arguments are server or agent, and the file. The parser warns about unknown keys. */
const K3S = `package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/k3s-io/k3s/pkg/cli/cmds"
	"github.com/k3s-io/k3s/pkg/configfilearg"
	"github.com/sirupsen/logrus"
	"github.com/urfave/cli/v2"
)

type warnings struct{ texts []error }

func (w *warnings) Levels() []logrus.Level { return []logrus.Level{logrus.WarnLevel, logrus.FatalLevel} }
func (w *warnings) Fire(entry *logrus.Entry) error {
	w.texts = append(w.texts, errors.New(entry.Message))
	return nil
}

func judge() error {
	said := &warnings{}
	logrus.AddHook(said)
	logrus.SetOutput(io.Discard)
	nothing := func(*cli.Context) error { return nil }
	app := cmds.NewApp()
	app.Writer = io.Discard
	app.Commands = []*cli.Command{cmds.NewServerCommand(nothing), cmds.NewAgentCommand(nothing)}
	args := configfilearg.MustParse([]string{"k3s", os.Args[1], "--config", os.Args[2]})
	return errors.Join(append(said.texts, app.Run(args))...)
}
${MAIN}`;

/** Its argument is the command that reads the file. */
const CANONICAL = `package main

import (
	"fmt"
	"io"
	"os"

	"github.com/canonical/k8s-snap-api/v2/api"
	"gopkg.in/yaml.v2"
)

func judge() error {
	kinds := map[string]any{
		"bootstrap": &api.BootstrapConfig{},
		"control-plane": &api.ControlPlaneJoinConfig{},
		"worker": &api.WorkerJoinConfig{},
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	return yaml.UnmarshalStrict(text, kinds[os.Args[1]])
}
${MAIN}`;

export const DECODERS = {
  'canonical-kubernetes': {
    module: 'github.com/canonical/k8s-snap-api/v2',
    version: 'v2.1.1',
    requires: 'gopkg.in/yaml.v2 v2.4.0',
    program: CANONICAL,
  },
  // Of Kubernetes 1.33.
  k0s: {
    module: 'github.com/k0sproject/k0s',
    version: 'v1.33.9-0.20260218131128-cd041608f44a',
    program: K0S,
  },
  // Of Kubernetes 1.34.
  k3s: {
    module: 'github.com/k3s-io/k3s',
    version: 'v1.33.0-rc1.0.20251111204923-8215b940e3eb',
    program: K3S,
  },
} as const satisfies Readonly<Record<string, Source>>;

export type Decoder = keyof typeof DECODERS;

export function decoderFile(name: Decoder): string {
  return `decoder-${name}-${DECODERS[name].version}`;
}

/** Undefined when built, otherwise the reason. */
export function buildDecoder(name: Decoder): string | undefined {
  const { module, version, requires, program }: Source = DECODERS[name];
  const folder = join(CACHE, 'build', decoderFile(name));
  mkdirSync(folder, { recursive: true });
  const needs = [`${module} ${version}`, ...(requires === undefined ? [] : [requires])];
  writeFileSync(
    join(folder, 'go.mod'),
    `module judges\n\ngo 1.25.0\n\n${needs.map((one) => `require ${one}\n`).join('')}`,
  );
  writeFileSync(join(folder, 'main.go'), program);
  // The public list of checksums has releases with a tag only.
  const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '0', GONOSUMDB: module };
  const output = join(CACHE, 'bin', decoderFile(name));
  const build = runCommand('go', ['build', '-trimpath', '-o', output, '.'], {
    cwd: folder,
    env,
    seconds: BUILD_SECONDS,
  });
  return build.ok ? undefined : build.output.slice(-500);
}
