/** A Talos machine configuration: YAML documents, kept as one file, because Talos reads no other. */
import { parseAllDocuments } from 'yaml';
import { BootFailure } from './boot-failure.ts';
import type { Format } from './format.ts';

/** Where Talos stores its configuration. */
export const MACHINE_CONFIG = '/system/state/config.yaml';

export const machineConfig: Format = {
  recognises: (text) => /^version: ['"]?v1alpha1['"]?$/m.test(text) && /^machine:$/m.test(text),
  read: (text) => {
    for (const { errors } of parseAllDocuments(text)) {
      const [error] = errors;
      if (error !== undefined) throw new BootFailure(`talos: failed to parse config: ${error.message}`);
    }
    return { files: [{ path: MACHINE_CONFIG, content: text }], text };
  },
};
