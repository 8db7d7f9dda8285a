/**
 * Builds a validator of machine configurations from the Go module of Talos: its own loader and validation, in a program
 * of one file.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE } from './cache.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

/** By the layout they check. */
export const TALOS_VERSIONS = { '1.13': 'v1.13.9', '1.14': 'v1.14.1' } as const;

const MODULE = 'github.com/siderolabs/talos/pkg/machinery';

/**
 * Modules for which the Go proxy does not have the required version, in the version before; the validation itself is
 * unchanged.
 */
const INSTEAD: Readonly<Record<string, readonly string[]>> = {
  'v1.14.1': ['github.com/cosi-project/runtime v1.16.2', 'github.com/jsimonetti/rtnetlink/v2 v2.2.0'],
};

export function talosFile(version: string): string {
  return `talos-${version}`;
}

/** Reads a configuration from standard input; its argument is the mode, cloud or metal. Prints ok, or the error. */
const PROGRAM = `package main

import (
	"fmt"
	"io"
	"os"

	"${MODULE}/config/configloader"
	"${MODULE}/config/validation"
)

type mode string

func (m mode) String() string        { return string(m) }
func (m mode) RequiresInstall() bool { return m == "metal" }
func (m mode) InContainer() bool     { return false }

func judge() ([]string, error) {
	bytes, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	config, err := configloader.NewFromBytes(bytes)
	if err != nil {
		return nil, err
	}
	return config.Validate(mode(os.Args[1]), validation.WithLocal(), validation.WithStrict())
}

func main() {
	warnings, err := judge()
	for _, warning := range warnings {
		fmt.Println("warning:", warning)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("ok")
}
`;

/** Undefined when built, otherwise the reason. */
export function buildTalos(version: string): string | undefined {
  const folder = join(CACHE, 'build', talosFile(version));
  mkdirSync(folder, { recursive: true });
  const env = { GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
  const instead = (INSTEAD[version] ?? []).map((module) => `replace ${module.replace(/ .*/, '')} => ${module}\n`);
  writeFileSync(
    join(folder, 'go.mod'),
    `module judges\n\ngo 1.26.0\n\nrequire ${MODULE} ${version}\n\n${instead.join('')}`,
  );
  writeFileSync(join(folder, 'main.go'), PROGRAM);
  const output = join(CACHE, 'bin', talosFile(version));
  const build = runCommand('go', ['build', '-trimpath', '-o', output, '.'], {
    cwd: folder,
    env,
    seconds: BUILD_SECONDS,
  });
  return build.ok ? undefined : build.output.slice(-500);
}
