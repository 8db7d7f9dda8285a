/** Bottlerocket settings: TOML, kept as one file, because Bottlerocket reads no other. */
import { parse } from 'smol-toml';
import { BootFailure } from './boot-failure.ts';
import type { Format } from './format.ts';

/** Where Bottlerocket reads it on hosts without a cloud. */
export const USER_DATA = '/var/lib/bottlerocket/user-data.toml';

export const settings: Format = {
  recognises: (text) => /^\[+settings[.\]]/m.test(text),
  read: (text) => {
    try {
      parse(text);
    } catch (thrown) {
      throw new BootFailure(`bottlerocket: error parsing TOML user data: ${String(thrown).split('\n')[0]}`);
    }
    return { files: [{ path: USER_DATA, content: text }], text };
  },
};
