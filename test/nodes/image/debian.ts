/** A Debian with systemd, cloud-init and containerd, as a tar in the cache: a replacement for the image of a cloud. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '#lib/api/names.ts';
import { MissingError } from '../../e2e/binaries/find.ts';
import { runCommand } from '../../judges/run.ts';
import { CACHE } from './cache.ts';
import { tool } from './tools.ts';

const RELEASE = 'bookworm';

const PACKAGES = [
  'systemd,systemd-sysv,udev,dbus,cloud-init,ca-certificates,netbase,procps,kmod',
  'containerd,runc,containernetworking-plugins',
  'iproute2,iptables,nftables,ebtables,conntrack,ethtool,socat',
].join();

/** Path of the tar. Throws MissingError, in one line, if it is not available. */
export function debianTar(progress: (line: string) => void): string {
  const tar = join(CACHE, `debian-${sha256(`${RELEASE},${PACKAGES}`).slice(0, 12)}.tar`);
  if (existsSync(tar)) return tar;
  const started = Date.now();
  progress('Debian packages …');
  mkdirSync(dirname(tar), { recursive: true });
  // It has another name until it is complete; mmdebstrap derives the type from the suffix.
  const draft = tar.replace(/\.tar$/, '.part.tar');
  const { program, env } = tool('mmdebstrap');
  const made = runCommand(
    program,
    ['--quiet', '--variant=minbase', '--dpkgopt=force-unsafe-io', `--include=${PACKAGES}`, RELEASE, draft],
    {
      env,
    },
  );
  if (!made.ok) throw new MissingError(`cannot make a Debian root: ${made.output.replaceAll(/\s+/g, ' ').slice(-300)}`);
  renameSync(draft, tar);
  progress(`Debian packages unpacked in ${Math.round((Date.now() - started) / 1000)} s`);
  return tar;
}
