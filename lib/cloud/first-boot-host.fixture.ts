/** A host on its first boot, in a folder of this machine: what cloud-init and Ignition expect there, and what they leave. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

type Places = Readonly<Record<string, string>>;

/** Each test gets a new one. */
export interface FirstBootHost {
  /** Where cloud-init reads configuration, and the file that the link there leads to. */
  link(): string;
  data(): string;
  /** A file that is sealed, and the sealed part of first-boot data that has it, with `fake-secret` in it. */
  file(): string;
  sealed(): string;
  isMarkedFetched(): boolean;
  isHalfFetched(): boolean;
  /** What a script of cloud-init finds here in place of its own paths, and waits shortly. */
  placesOfBoothook(): Places;
  /** The same for the script that Ignition gets. */
  placesOfFetch(): Places;
}

export function firstBootHost(): FirstBootHost {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-first-boot-'));
    mkdirSync(join(folder, 'var/lib/cloud/instance'), { recursive: true });
    mkdirSync(join(folder, 'etc/cloud/cloud.cfg.d'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (): string => join(folder, 'etc/kubernetes/fake.conf');
  return {
    link: () => join(folder, 'etc/cloud/cloud.cfg.d/95-slipway-first-boot.cfg'),
    data: () => join(folder, 'var/lib/cloud/instance/slipway-first-boot.cfg'),
    file,
    sealed: () => JSON.stringify({ storage: { files: [sealedFile(file())] } }),
    isMarkedFetched: () => existsSync(join(folder, 'var/first-boot-fetched')),
    isHalfFetched: () => existsSync(join(folder, 'var/first-boot-fetched.part')),
    placesOfBoothook: () => ({
      '"/var/lib': `"${folder}/var/lib`,
      '"/etc/cloud': `"${folder}/etc/cloud`,
      'time.sleep(5)': 'time.sleep(0.01)',
    }),
    placesOfFetch: () => ({ '/var/lib/slipway': join(folder, 'var'), 'sleep 5': 'sleep 0' }),
  };
}

function sealedFile(path: string) {
  return {
    path,
    mode: 0o600,
    user: { id: process.getuid?.() ?? 0 },
    group: { id: process.getgid?.() ?? 0 },
    contents: { source: `data:;base64,${Buffer.from('fake-secret').toString('base64')}` },
  };
}

/** The user data as sh runs it. */
export function boothookScript(userData: Uint8Array): string {
  return Buffer.from(userData).toString().replace('#cloud-boothook\n', '');
}

/** Whether a script of Ignition can run on this machine; prints why not. */
export function canFetch(): boolean {
  const missing = ['curl', 'jq'].filter((name) => spawnSync(name, ['--version']).error !== undefined);
  if (missing.length > 0)
    process.stdout.write(`skipped: fetching for Ignition: ${missing.join(' and ')} not installed\n`);
  return missing.length === 0;
}
