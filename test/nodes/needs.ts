/** What a host must have before anything is created or started. */
import { spawnSync } from 'node:child_process';
import { platform } from 'node:os';
import { MissingError } from '../e2e/binaries/find.ts';
import { isInstalled } from '../judges/run.ts';

const COMMANDS = ['apt-get', 'dpkg-deb', 'ip', 'nsenter', 'perl', 'systemctl', 'tar'] as const;

/** Throws MissingError in one line. */
export function needs(): void {
  if (platform() !== 'linux') throw new MissingError(`machines are Linux containers, and this is ${platform()}`);
  if (process.getuid?.() !== 0) throw new MissingError('must run as root: machines are containers with namespaces');
  const absent = COMMANDS.filter((command) => !isInstalled(command));
  if (absent.length > 0) throw new MissingError(`not installed: ${absent.join(', ')}`);
  if (spawnSync('unshare', ['--mount', '--pid', '--net', '--fork', 'true']).status !== 0)
    throw new MissingError('this host lets nobody make namespaces, so that no machine can be started');
}
