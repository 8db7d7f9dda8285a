import type { JsonObject } from '#lib/api/json.ts';
import { host } from './input.ts';

const file = (fields: JsonObject): JsonObject => host({ files: [{ path: '/etc/x', content: '', ...fields }] });

/** Files that a host cannot have. */
export const FILES: Readonly<Record<string, JsonObject>> = {
  'a file with a relative path': file({ path: 'etc/x' }),
  'a file below /run': file({ path: '/run/x' }),
  'a file below /tmp': file({ path: '/tmp/x' }),
  'a file below /proc': file({ path: '/proc/x' }),
  'a file below /sys': file({ path: '/sys/x' }),
  'a file below /dev': file({ path: '/dev/x' }),
  'a file below /var/run': file({ path: '/var/run/x' }),
  'a file with .. in its path': file({ path: '/etc/../run/x' }),
  'a file with . in its path': file({ path: '/etc/./x' }),
  'a file with NUL in its path': file({ path: '/etc/x\u0000y' }),
  'a file with a line end in its path': file({ path: '/etc/x\ny' }),
  'a file that is a folder': file({ path: '/etc/x/' }),
  'a file that is the root': file({ path: '/' }),
  'the file that says the first boot is over': file({ path: '/var/lib/slipway/bootstrap-success.complete' }),
  'a file that is not packed': file({ encoding: 'gzip+base64', content: 'AAECAwQ=' }),
  'a file in an encoding that nobody reads': file({ encoding: 'gzip' }),
  'a file with a mode of three digits': file({ mode: '644' }),
  'a file twice': host({
    files: [
      { path: '/etc/x', content: 'a' },
      { path: '/etc/x', content: 'b' },
    ],
  }),
  'a file twice, by another spelling': host({
    files: [
      { path: '/etc/x', content: 'a' },
      { path: '/etc//x', content: 'b' },
    ],
  }),
  'a file mode in decimal': file({ mode: '644' }),
  'a file mode that is a number': file({ mode: 420 }),
  'a file owner with a blank': file({ owner: 'a b' }),
  'a file with an unknown encoding': file({ encoding: 'gzip+b64' }),
  'a file that says base64 and is none': file({ encoding: 'base64', content: 'a-b' }),
  'a file without content': host({ files: [{ path: '/etc/x' }] }),
  'a file with content twice': file({ contentFrom: { secret: { name: 'a', key: 'b' } } }),
  'a file with a list as content': file({ content: ['line'] }),
  'a typo in a file': file({ pth: '/etc/y' }),
};
