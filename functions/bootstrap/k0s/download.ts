/**
 * The script that installs k0s: from the image, or downloaded to a temporary file, verified and then moved into place.
 */
import { quoted } from '#lib/fn/quoted.ts';
import type { K0sFacts } from './facts.ts';

/** Where k0s may be: /opt/bin on systems whose /usr is read-only. */
export const PATHS = `PATH="$PATH:/usr/local/bin:/opt/bin"`;

export function downloadScript({ release, config }: K0sFacts): string {
  return config.install === 'Skip' ? present(release) : downloaded(release, config.download);
}

const head = (release: string): string => `#!/bin/sh
# Makes sure that k0s ${release} is on this host.
set -eu
${PATHS}
release=${quoted(release)}
`;

function present(release: string): string {
  return `${head(release)}
found="$(k0s version 2>/dev/null)" || found='no k0s'
if [ "$found" != "$release" ]; then
  echo "slipway: the image has $found, not $release" >&2
  exit 1
fi
`;
}

interface Download {
  readonly url: string;
  readonly sha256: { readonly amd64?: string | undefined; readonly arm64?: string | undefined };
}

function downloaded(release: string, { url, sha256 }: Download): string {
  const { amd64 = '', arm64 = '' } = sha256;
  const name = encodeURIComponent(release);
  return `${head(release)}
if [ "$(k0s version 2>/dev/null)" = "$release" ]; then exit 0; fi

case "$(uname -m)" in
x86_64) arch=amd64 checksum='${amd64}' ;;
aarch64) arch=arm64 checksum='${arm64}' ;;
*)
  echo "slipway: there is no k0s download for $(uname -m)" >&2
  exit 1
  ;;
esac

if [ -z "$checksum" ]; then
  echo "slipway: the claim has no checksum for $arch: spec.bootstrap.config.download.sha256.$arch" >&2
  exit 1
fi

folder=/usr/local/bin
if ! mkdir -p "$folder" 2>/dev/null || [ ! -w "$folder" ]; then folder=/opt/bin; fi
mkdir -p "$folder"
file="$folder/.k0s-download"
trap 'rm -f "$file"' EXIT
url=${quoted(`${url}/${name}/k0s-${name}`)}
curl -fsSL --retry 8 --retry-connrefused --connect-timeout 20 -o "$file" "$url-$arch"
echo "$checksum  $file" | sha256sum -c - >/dev/null
chmod 0755 "$file"
mv "$file" "$folder/k0s"
`;
}
