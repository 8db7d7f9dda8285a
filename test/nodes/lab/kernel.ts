/**
 * Kernel settings that a kubelet changes; all machines share the kernel of their host, so they are restored at the end.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTINGS = [
  'kernel/keys/root_maxbytes',
  'kernel/keys/root_maxkeys',
  'kernel/panic',
  'kernel/panic_on_oops',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
] as const;

/** Reads them; returns a function that restores them. */
export function rememberKernel(): () => void {
  const before = SETTINGS.map((name) => {
    const file = join('/proc/sys', name);
    return { file, value: readFileSync(file, 'utf8') };
  });
  return () => {
    for (const { file, value } of before) writeFileSync(file, value);
  };
}
