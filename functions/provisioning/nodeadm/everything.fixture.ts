/** A value for every field of a claim that images with nodeadm support. Nothing in it is a real secret. */
import type { JsonObject } from '#lib/api/json.ts';
import { EVERY_PROVISIONING, REGISTRIES } from '../../../test/support/everything.ts';

/** Images with nodeadm lack what cloud-init lacks; and nothing runs there after the kubelet was started. */
export const EVERY_NODEADM_PROVISIONING: JsonObject = {
  ...EVERY_PROVISIONING,
  format: 'nodeadm',
  commands: { pre: [`echo 'it''s' "$HOME"`, 'true | cat'] },
  proxy: { http: 'http://proxy.example.com:3128', https: 'http://proxy.example.com:3128', none: ['.internal'] },
  registries: REGISTRIES,
  raw: { 'cloud-init': { final_message: 'über' }, nodeadm: { cluster: { enableOutpost: false } } },
};
