/**
 * Builds Ignition itself for specification 2.3, which no distribution has any more, from its Go module. It is older than
 * Go modules: two of its libraries are pinned, and three for other platforms are replaced by nothing. It finds programs
 * of the host where Debian has them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { IGNITION_RELEASES } from './build-ignition.ts';
import { CACHE } from './cache.ts';
import { fetchPackage } from './debian.ts';
import { BUILD_SECONDS, runCommand } from './run.ts';

const { module, version, replace } = IGNITION_RELEASES[2];

export const OLD_IGNITION = ['bin', `ignition-${version}`];

const DBUS = 'github.com/godbus/dbus v0.0.0-20190623212516-8a1682060722';

/** Libraries of TFTP and VMware that cannot be had: their module, and what Ignition calls of each package. */
const NOTHING: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'github.com/pin/tftp': {
    'tftp.go': `package tftp

import ("errors"; "io")

type Client struct{}

func NewClient(string) (*Client, error) { return nil, errors.New("not built") }
func (*Client) Receive(string, string) (io.WriterTo, error) { return nil, errors.New("not built") }
`,
  },
  'github.com/sigma/vmw-guestinfo': {
    'rpcvmx/rpcvmx.go': `package rpcvmx

type Config struct{}

func NewConfig() *Config { return nil }
func (*Config) String(string, string) (string, error) { return "", nil }
`,
    'vmcheck/vmcheck.go': `package vmcheck

func IsVirtualWorld() bool { return false }
`,
  },
  'github.com/vmware/vmw-ovflib': {
    'ovf.go': `package ovf

type Env struct{ Properties map[string]string }

func ReadEnvironment([]byte) (Env, error) { return Env{}, nil }
`,
  },
};

const SETTINGS = {
  'version.Raw': version,
  'distro.udevadmCmd': '/opt/stand-ins/udevadm',
  'distro.chrootCmd': '/usr/sbin/chroot',
};

/** Undefined when built, otherwise the reason. */
export function buildOldIgnition(): string | undefined {
  const folder = join(CACHE, 'build', `ignition-${version}`);
  mkdirSync(folder, { recursive: true });
  const problem = fetchPackage('libblkid-dev', 'bookworm', join(folder, 'blkid'));
  if (problem !== undefined) return problem;
  writeNothing(folder);
  const replaced = Object.keys(NOTHING).map((name) => `replace ${name} => ./${name}`);
  const lines = [`require ${module} ${version}`, `require ${DBUS}`, `replace ${replace}`, ...replaced];
  writeFileSync(join(folder, 'go.mod'), ['module judges', 'go 1.25.0', ...lines, ''].join('\n\n'));
  const stamps = Object.entries(SETTINGS).map(([name, value]) => `-X ${module}/internal/${name}=${value}`);
  const output = join(CACHE, ...OLD_IGNITION);
  const build = runCommand('go', ['build', '-ldflags', stamps.join(' '), '-o', output, `${module}/internal`], {
    cwd: folder,
    seconds: BUILD_SECONDS,
    env: {
      GOFLAGS: '-mod=mod',
      CGO_ENABLED: '1',
      CGO_CFLAGS: `-I${join(folder, 'blkid/usr/include')}`,
      CGO_LDFLAGS: `-L${join(folder, 'blkid/usr/lib/x86_64-linux-gnu')}`,
    },
  });
  return build.ok ? undefined : build.output.slice(-500);
}

function writeNothing(folder: string): void {
  for (const [name, files] of Object.entries(NOTHING)) {
    for (const [path, text] of Object.entries({ 'go.mod': `module ${name}\n`, ...files })) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
  }
}
